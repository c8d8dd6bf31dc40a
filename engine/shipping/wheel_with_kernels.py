"""The build backend: setuptools, and into each wheel the kernels of the library, lowered.

A wheel with kernels fits one version of Python and one kind of processor, and is named so; for
others the wheel is built anew from the sources. Editable installs lower kernels when they are used.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
import zipfile
from pathlib import Path
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import (
    build_editable,
    build_sdist,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    prepare_metadata_for_build_editable,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
]
MODULE = "railblocks.engine.shipping"
KERNELS = "railblocks/engine/program/kernels.zip"


def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    """What lowering needs is what running needs."""
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = build_meta.get_requires_for_build_wheel(config_settings)
    return [*needed, *project["dependencies"], "wheel>=0.43"]


def build_wheel(
    wheel_directory: str, config_settings: Any = None, metadata_directory: str | None = None
) -> str:
    """Builds the wheel, lowers the kernels of exactly its sources and puts them into it."""
    shutil.rmtree(Path("build") / "lib", ignore_errors=True)  # what an earlier build has left
    with tempfile.TemporaryDirectory() as folder:
        plain = build_meta.build_wheel(folder, config_settings, metadata_directory)
        tree = Path(folder) / "tree"
        with zipfile.ZipFile(Path(folder) / plain) as archive:
            archive.extractall(tree)
        _lower(tree)
        name = re.sub(r"-[^-]+-[^-]+-[^-]+\.whl$", f"-{_tag()}.whl", plain)
        _pack(tree, Path(wheel_directory) / name)
    return name


def _lower(tree: Path) -> None:
    """Lowers the library of the tree, in a process that imports railblocks from there."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tree), *sys.path[1:]])}
    command = [sys.executable, "-P", "-m", MODULE, str(tree / KERNELS)]
    subprocess.run(command, env=environment, cwd=tree, check=True)


def _tag() -> str:
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = re.sub(r"[-.]", "_", sysconfig.get_platform())
    return f"{python}-none-{platform}"


def _pack(tree: Path, path: Path) -> None:
    """A wheel of the tree; its name says what it is for, and so does its metadata."""
    from wheel.wheelfile import WheelFile

    for record in tree.glob("*.dist-info/RECORD"):
        record.unlink()
    for metadata in tree.glob("*.dist-info/WHEEL"):
        text = re.sub(r"(?m)^Tag: .*$", f"Tag: {_tag()}", metadata.read_text())
        metadata.write_text(text.replace("Root-Is-Purelib: true", "Root-Is-Purelib: false"))
    with WheelFile(path, "w") as archive:
        archive.write_files(tree)
