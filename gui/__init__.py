"""The editor: draw, rewire, run and scope diagrams. `railblocks edit`."""
