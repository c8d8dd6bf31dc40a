"""A vehicle and a roller rig written a second time, from the textbook and without our kernels.

Only NumPy and SciPy are used, in an inertial frame, with rails as curves in space; what these
programs share with the blocks are the numbers in the files of vehicle and line.
"""
