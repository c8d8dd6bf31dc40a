"""The wheel: built, installed into an empty environment, and run there without numba."""

import hashlib
import os
import subprocess
import sys
import venv
from pathlib import Path

import h5py
import pytest
from railblocks.engine import simulate
from railblocks.engine.diagram.reader import load

ROOT = Path(__file__).parents[3]
DIAGRAMS = ("dc_motor", "toumi2019/without_wsp", "conti2012/fast_scenario_1")
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "-w", str(folder), str(ROOT)], check=True)
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def railblocks(wheel, tmp_path_factory):
    """The command of an environment with the wheel, from which numba was taken out again."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder, with_pip=True)
    pip = [str(folder / "bin" / "python"), "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "install", str(wheel)], check=True)
    subprocess.run([*pip, "uninstall", "--yes", "numba"], check=True)
    return folder / "bin" / "railblocks"


def rows_of(file):
    """A hash of every recorded number."""
    digest = hashlib.sha256()
    with h5py.File(file) as results:

        def add(name, item):
            if isinstance(item, h5py.Dataset) and item.dtype.kind == "f" and item.ndim:
                digest.update(name.encode() + item[()].tobytes())

        results.visititems(add)
    return digest.hexdigest()


def test_it_is_named_for_its_python_and_processor(wheel):
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    assert f"-{python}-none-" in wheel.name
    assert not wheel.name.endswith("-any.whl")


@pytest.mark.parametrize("name", DIAGRAMS)
def test_a_diagram_has_the_bits_of_the_clone_without_numba(railblocks, tmp_path, name):
    source = ROOT / "diagrams" / f"{name}.yaml"
    environment = {**os.environ, "RAILBLOCKS_CACHE": str(tmp_path / "cache")}
    environment.pop("PYTHONPATH", None)
    output = tmp_path / "installed.h5"
    done = subprocess.run(
        [railblocks, "run", source, "-o", output, "--json"],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    simulate(load(source), output=tmp_path / "clone.h5")
    assert rows_of(output) == rows_of(tmp_path / "clone.h5")


def test_the_cache_command_counts_the_kernels_of_the_package(railblocks, tmp_path):
    import json

    environment = {**os.environ, "RAILBLOCKS_CACHE": str(tmp_path / "cache")}
    done = subprocess.run(
        [railblocks, "cache", "--json"], env=environment, capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout)["shipped_kernels"] > 300
