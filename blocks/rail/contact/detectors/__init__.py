"""Other ways to find contact points, to compare with: searches, tables, neural networks."""
