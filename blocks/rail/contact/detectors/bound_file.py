"""Files with what was computed for one wheel over one rail, refused for any other.

An .npz file without pickled objects holds the arrays, the kind of content, and names and
fingerprints of both profiles.
"""

from __future__ import annotations

import io
import math
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from railblocks.blocks.rail.contact.geometry.pair import Pair
from railblocks.engine.errors import DiagramError
from railblocks.engine.files.replacing import replacing
from railblocks.engine.text.files import file_bytes

VERSION = 1
MAX_BYTES = 2**28
"""Bytes of a file, and of all its arrays together."""


def save_bound(path: str | Path, kind: str, pair: Pair, arrays: dict[str, np.ndarray]) -> None:
    """Writes the arrays to exactly this path."""
    about: dict[str, Any] = {"kind": np.array(kind), "version": np.array(VERSION)}
    about |= {"pair": _identity(pair), **arrays}
    with replacing(path) as temporary, open(temporary, "wb") as file:
        np.savez(file, **about)


def load_bound(
    path: str | Path, kind: str, pair: Pair, names: Iterable[str]
) -> dict[str, np.ndarray]:
    """The arrays; ValueError if the file is something else or belongs to other profiles."""
    try:
        content = file_bytes(path, f"a file of {kind}", MAX_BYTES)
    except DiagramError as error:
        raise ValueError(str(error)) from None
    try:
        held = arrays_of(content)
    except Exception as error:  # zipfile and numpy raise anything for damaged files
        raise ValueError(f"{path}: is not a file of {kind} ({error})") from None
    names = list(names)
    if str(held.get("kind")) != kind or not {"version", "pair", *names} <= held.keys():
        raise ValueError(f"{path}: is not a file of {kind}; make a new one for this pair")
    if not np.array_equal(held["version"], VERSION):
        raise ValueError(f"{path}: has version {held['version']}; expected {VERSION}: make it anew")
    theirs, ours = held["pair"], _identity(pair)
    if theirs.shape != ours.shape or theirs.dtype.kind != "U":
        raise ValueError(f"{path}: is not a file of {kind}; make a new one for this pair")
    if not np.array_equal(theirs[:, 1], ours[:, 1]):
        raise ValueError(
            f"{path}: {kind} made for {_identity_text(theirs)}; this pair is "
            f"{_identity_text(ours)}; make them anew"
        )
    return {name: held[name] for name in names}


def arrays_of(content: bytes) -> dict[str, np.ndarray]:
    """The arrays of an .npz file; ValueError if they claim to be larger than a file may be."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = archive.infolist()
        if sum(member.file_size for member in members) > MAX_BYTES:
            raise ValueError(f"its arrays take more than {MAX_BYTES >> 20} MiB")
        return {
            member.filename.removesuffix(".npy"): _array(archive.open(member).read(MAX_BYTES))
            for member in members
        }


def _array(content: bytes) -> np.ndarray:
    """An .npy file that holds as many numbers as it claims."""
    stream = io.BytesIO(content)
    read_header = {
        (1, 0): np.lib.format.read_array_header_1_0,
        (2, 0): np.lib.format.read_array_header_2_0,
    }[np.lib.format.read_magic(stream)]
    shape, in_columns, dtype = read_header(stream)
    if dtype.hasobject:
        raise ValueError("it holds objects")
    array = np.frombuffer(content, dtype, math.prod(shape), stream.tell())
    return array.reshape(shape, order="F" if in_columns else "C").copy()


def _identity(pair: Pair) -> np.ndarray:
    both = (pair.wheel, pair.rail)
    return np.array([(profile.name, profile.fingerprint) for profile in both])


def _identity_text(identity: np.ndarray) -> str:
    (wheel, wheel_print), (rail, rail_print) = identity
    return f"wheel {wheel} ({wheel_print}) over rail {rail} ({rail_print})"
