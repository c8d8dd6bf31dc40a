"""Pure functions of blocks: fingerprints, the rules of C, and functions compiled alone."""
