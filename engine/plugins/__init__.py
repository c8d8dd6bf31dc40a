"""Names of modules that lower packages open when they are asked to.

The engine knows no concrete block, no shipped diagram and no window, and a diagram does not know
how it is drawn. Where they open one of these modules, they take its name from here; such names
appear nowhere else in the engine.
"""

from __future__ import annotations

BLOCKS = "railblocks.blocks"  # the blocks that ship with railblocks, for the registry
DIAGRAMS = "railblocks.diagrams"  # shipped diagrams, with the papers beside them
DRAWING = "railblocks.engine.drawing"  # pictures of diagrams, for notebooks
EDITOR = "railblocks.gui.application"  # the window of `railblocks edit`
