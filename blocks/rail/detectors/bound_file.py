"""Files with what was computed for one wheel over one rail, refused for any other.

An .npz file without pickled objects holds the arrays, the kind of content, and names and
fingerprints of both profiles.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from railblocks.blocks.rail.geometry.pair import Pair

VERSION = 1


def save_bound(path: str | Path, kind: str, pair: Pair, arrays: dict[str, np.ndarray]) -> None:
    """Writes the arrays to exactly this path."""
    about = {"kind": np.array(kind), "version": np.array(VERSION), "pair": _identity(pair)}
    with open(path, "wb") as file:
        np.savez(file, **about, **arrays)


def load_bound(
    path: str | Path, kind: str, pair: Pair, names: Iterable[str]
) -> dict[str, np.ndarray]:
    """The arrays; ValueError if the file is something else or belongs to other profiles."""
    try:
        with np.load(path, allow_pickle=False) as file:
            held = {name: file[name] for name in file.files}
    except (ValueError, EOFError, AttributeError, zipfile.BadZipFile) as error:
        raise ValueError(f"{path}: is not a file of {kind} ({error})") from None
    names = list(names)
    if str(held.get("kind")) != kind or any(name not in held for name in names):
        raise ValueError(f"{path}: is not a file of {kind}; make a new one for this pair")
    if int(held["version"]) != VERSION:
        raise ValueError(f"{path}: has version {held['version']}; expected {VERSION}: make it anew")
    theirs, ours = held["pair"], _identity(pair)
    if not np.array_equal(theirs[:, 1], ours[:, 1]):
        raise ValueError(
            f"{path}: {kind} made for {_said(theirs)}; this pair is {_said(ours)}; make them anew"
        )
    return {name: held[name] for name in names}


def _identity(pair: Pair) -> np.ndarray:
    both = (pair.wheel, pair.rail)
    return np.array([(profile.name, profile.fingerprint) for profile in both])


def _said(identity: np.ndarray) -> str:
    (wheel, wheel_print), (rail, rail_print) = identity
    return f"wheel {wheel} ({wheel_print}) over rail {rail} ({rail_print})"
