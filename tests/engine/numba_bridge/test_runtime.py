"""The key of the installed compiler, and the helpers that compiled code calls."""

import subprocess
import sys

from railblocks.engine.numba_bridge.runtime import lowerer_key, platform_key, text_key

LOADED = """
import sys
from railblocks.engine.numba_bridge.runtime import supply_helpers
import llvmlite.binding as llvm
supply_helpers(sys.argv[1].encode())
print("numba" in sys.modules, llvm.address_of_symbol("NRT_MemInfo_alloc") is not None)
"""


def loaded(code):
    command = [sys.executable, "-c", LOADED, code]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


def test_the_runtime_is_loaded_only_for_code_that_calls_it():
    assert loaded("plain code")[0] == "False"
    assert loaded("calls NRT_MemInfo_alloc") == ["True", "True"]


def test_another_version_of_numba_has_another_key(monkeypatch):
    from importlib import metadata

    here, text, version = platform_key(), text_key(), metadata.version
    monkeypatch.setattr(metadata, "version", lambda name: version(name) + ".1")
    lowerer_key.cache_clear()
    assert platform_key.__wrapped__() != here
    assert text_key.__wrapped__() == text, "text of another numba is as good"
    monkeypatch.undo()
    lowerer_key.cache_clear()
    assert platform_key.__wrapped__() == here


def test_a_missing_numba_is_no_obstacle_to_the_key(monkeypatch):
    from importlib import metadata

    def version(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", version)
    lowerer_key.cache_clear()
    assert lowerer_key()
    lowerer_key.cache_clear()
