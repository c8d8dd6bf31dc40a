"""What blocks are made with: kernels, realisations, variants and checks of values."""
