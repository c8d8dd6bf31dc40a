"""Pure functions of blocks: what they depend on, and the same function by the rules of C."""
