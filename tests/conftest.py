"""What every test run shares: no window, and the helper modules beside the tests."""

import os
import sys
from pathlib import Path

from hypothesis import settings

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("MPLBACKEND", "Agg")
os.environ["RAILBLOCKS_DEBUG"] = "1"  # mistakes of railblocks itself go through
os.environ.setdefault("RAILBLOCKS_PROCESSES", "1")  # the workers of the tests fill the cores
for folder in (".", "engine", "blocks", "blocks/rail", "diagrams", "gui", "docs", "fuzz"):
    sys.path.insert(0, str(Path(__file__).parent / folder))

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")
