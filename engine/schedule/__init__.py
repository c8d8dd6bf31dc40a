"""From a model to calls of kernels, in the order in which they run."""
