"""What every test run shares: no window, and the helper modules beside the tests."""

import os
import sys
from pathlib import Path

import pytest
from hypothesis import settings

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("MPLBACKEND", "Agg")
for folder in ("engine", "blocks", "cli", "gui"):
    sys.path.insert(0, str(Path(__file__).parent / folder))

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")


def pytest_collection_modifyitems(items):
    """Tests of a file with contacts stay with one worker, which compiles for all of them."""
    for item in items:
        if item.path.parent.name == "rail":
            item.add_marker(pytest.mark.xdist_group(item.path.stem))
