"""One module a paper: what `railblocks reproduce` computes."""
