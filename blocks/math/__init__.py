"""Functions of the present inputs, without memory."""
