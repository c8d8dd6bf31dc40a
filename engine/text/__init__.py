"""Strict YAML: files and text to trees of nodes that know their positions."""
