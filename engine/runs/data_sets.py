"""Data sets of HDF5 files from elsewhere: what a file claims is compared with what it holds.

A claim of more numbers than the file has would take the memory of the machine; a data set whose
numbers lie in another file would read that one.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def stored(file: Any, name: str, kinds: str, ndim: int) -> Any:
    """A data set of the file's own, whole and not compressed; raises ValueError.

    `kinds` are those of numpy's types that its elements may have; its size in memory is at most
    that of the file.
    """
    found = own(file, name)
    if found.dtype.kind not in kinds or len(found.shape) != ndim:
        raise ValueError(f"'{name}' has type {found.dtype} and {len(found.shape)} dimensions")
    if found.id.get_create_plist().get_nfilters():
        raise ValueError(f"'{name}' is compressed")
    size = memory_size(found)
    if size > min(found.id.get_storage_size(), file.id.get_filesize()):
        raise ValueError(f"'{name}' claims {found.shape} numbers, more than there are")
    return found


def own(file: Any, name: str) -> Any:
    """A data set whose numbers lie in this very file; raises ValueError."""
    import h5py

    parts = name.split("/")
    for last in range(1, len(parts) + 1):
        link = file.get("/".join(parts[:last]), getlink=True)
        if not isinstance(link, h5py.HardLink):
            raise ValueError(f"'{name}' is missing or lies in another file")
    found = file[name]
    if not isinstance(found, h5py.Dataset) or found.shape is None:
        raise ValueError(f"'{name}' is not a data set")
    if found.is_virtual or found.external:
        raise ValueError(f"'{name}' lies in another file")
    return found


def memory_size(found: Any) -> int:
    return math.prod(found.shape) * int(found.dtype.itemsize)


def data_sets(file: Any, largest: int) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """The arrays of numbers at the top of a file, and why others were left out.

    Raises ValueError if they take more than `largest` bytes together.
    """
    arrays: dict[str, np.ndarray] = {}
    left_out: dict[str, str] = {}
    room = largest
    for name in file:
        try:
            found = own(file, name)
        except (KeyError, ValueError) as error:
            left_out[name] = str(error)
            continue
        if found.dtype.kind not in "fiub":
            left_out[name] = "it does not hold numbers"
            continue
        room -= memory_size(found)
        if room < 0:
            raise ValueError(f"its data take more than {largest >> 20} MiB")
        arrays[name] = np.asarray(found)
    return arrays, left_out
