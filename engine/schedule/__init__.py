"""The schedule of a model: calls of kernels, in the order in which they run."""
