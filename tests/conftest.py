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


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """What compiles the same code stays with one worker: a file of contacts, a block's variants."""
    for item in items:
        block = getattr(item, "callspec", None) and item.callspec.id.split("-")[0]
        if item.path.parent.name == "rail":
            item.add_marker(pytest.mark.xdist_group(item.path.stem))
        elif item.path.stem == "test_every_block" and block:
            item.add_marker(pytest.mark.xdist_group(block))
