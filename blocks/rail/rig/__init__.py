"""The roller rig: the scaled rig of MDM, and the virtual one."""
