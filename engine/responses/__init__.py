"""Plots of blocks alone: frequency responses as Bode plots, and pictures of their own."""
