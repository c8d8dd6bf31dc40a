"""Linear models of diagrams: matrices, poles, zeros, responses, margins and root loci."""
