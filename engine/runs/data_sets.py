"""Data sets of HDF5 files of any origin, after what a file claims is compared with its size.

A claim of more numbers than the file has would take the memory of the machine; a data set whose
numbers lie in another file would read that one.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from ..text.files import regular_file

ATTEMPTS = 10
T = TypeVar("T")


class OpenFile:
    """An HDF5 file, open for reading, that can be opened anew when its name is another file's.

    HDF5 gets the open file and not its name: by its name it would give back what it knows of a file
    that is open already, also where that has grown. Raises DiagramError for what is not a regular
    file, else what h5py raises.
    """

    def __init__(self, path: str, expected: str = "an HDF5 file"):
        with regular_file(path, expected) as file:
            self._source = os.fdopen(os.dup(file.fileno()), "rb")
        try:
            self.file = self._opened()
        except BaseException:
            self._source.close()
            raise

    def _opened(self) -> Any:
        import h5py

        return h5py.File(os.fdopen(os.dup(self._source.fileno()), "rb"), "r")

    def reopen(self) -> None:
        """Opens the file anew: what it holds now."""
        self.file.close()
        self.file = self._opened()

    def attempt(self, read: Callable[[], T]) -> T:
        """What `read` returns; the file is opened anew where a run that still writes spoils it."""
        for _ in range(ATTEMPTS - 1):
            try:
                return read()
            except Exception:  # h5py raises anything for files that change
                self.reopen()
        return read()

    def close(self) -> None:
        self.file.close()
        self._source.close()

    def __enter__(self) -> Any:
        return self.file

    def __exit__(self, *_: object) -> None:
        self.close()


def stored(file: Any, name: str, kinds: str, ndim: int) -> Any:
    """A data set that lies in this file, whole and not compressed; raises ValueError.

    `kinds` are those of numpy's types that its elements may have; its size in memory is at most
    that of the file.
    """
    data = own(file, name)
    if data.dtype.kind not in kinds or len(data.shape) != ndim:
        raise ValueError(f"'{name}' has type {data.dtype} and {len(data.shape)} dimensions")
    if data.id.get_create_plist().get_nfilters():
        raise ValueError(f"'{name}' is compressed")
    size = memory_size(data)
    if size > min(data.id.get_storage_size(), file.id.get_filesize()):
        raise ValueError(f"'{name}' claims {data.shape} numbers, more than there are")
    return data


def own(file: Any, name: str) -> Any:
    """A data set whose numbers lie in this very file; raises ValueError."""
    import h5py

    parts = name.split("/")
    for last in range(1, len(parts) + 1):
        link = file.get("/".join(parts[:last]), getlink=True)
        if not isinstance(link, h5py.HardLink):
            raise ValueError(f"'{name}' is missing or lies in another file")
    data = file[name]
    if not isinstance(data, h5py.Dataset) or data.shape is None:
        raise ValueError(f"'{name}' is not a data set")
    if data.is_virtual or data.external:
        raise ValueError(f"'{name}' lies in another file")
    return data


def memory_size(data: Any) -> int:
    return math.prod(data.shape) * int(data.dtype.itemsize)


def data_sets(file: Any, largest: int) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """The arrays of numbers at the top of a file, and why others were left out.

    Raises ValueError if they take more than `largest` bytes together.
    """
    arrays: dict[str, np.ndarray] = {}
    left_out: dict[str, str] = {}
    room = largest
    for name in file:
        try:
            data = own(file, name)
        except (KeyError, ValueError) as error:
            left_out[name] = str(error)
            continue
        if data.dtype.kind not in "fiub":
            left_out[name] = "it does not hold numbers"
            continue
        room -= memory_size(data)
        if room < 0:
            raise ValueError(f"its data take more than {largest >> 20} MiB")
        arrays[name] = np.asarray(data)
    return arrays, left_out
