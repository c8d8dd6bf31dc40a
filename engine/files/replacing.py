"""Writing a file in one step: whatever happens, the file is the old one or the new one.

The new content is written to a file of its own in the same folder, under a name that nobody can
foretell and that did not exist before; it reaches the disk before it takes the old file's place.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from collections.abc import Iterator

NEW_FILE = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0)


@contextlib.contextmanager
def replacing(
    path: str | os.PathLike[str], mode: int = 0o666, durable: bool = True
) -> Iterator[str]:
    """The name of a new, empty file that takes the place of `path` when the `with` block ends.

    An error inside leaves `path` as it was. A link is followed, so that the file that it points
    to changes and the link stays; the permissions of an existing file stay. What need not survive
    a failing machine is not `durable`: nobody waits for the disk. Raises OSError.
    """
    target = os.path.realpath(os.fspath(path))
    temporary = new_file(target, _mode_of(target, mode))
    try:
        yield temporary
        if durable:
            _reach_disk(temporary)
        os.replace(temporary, target)
    finally:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
    if durable:
        _reach_disk(os.path.dirname(target))


def replace_text(path: str | os.PathLike[str], text: str, mode: int = 0o666) -> None:
    """Writes UTF-8 text, line ends as they are; raises OSError."""
    replace_bytes(path, text.encode("utf-8"), mode)


def replace_bytes(
    path: str | os.PathLike[str], content: bytes, mode: int = 0o666, durable: bool = True
) -> None:
    with replacing(path, mode, durable) as temporary, open(temporary, "wb") as file:
        file.write(content)


def new_file(path: str, mode: int | None = 0o666) -> str:
    """Makes an empty file beside `path` under a random name; a `mode` of None is `path`'s own."""
    folder, name = os.path.split(path)
    while True:
        temporary = os.path.join(folder, f".{name[:100]}.{secrets.token_hex(8)}.part")
        with contextlib.suppress(FileExistsError):
            os.close(os.open(temporary, NEW_FILE, 0o666 if mode is None else mode))
            if mode is None:
                os.chmod(temporary, stat.S_IMODE(os.stat(path).st_mode))
            return temporary


def _mode_of(path: str, mode: int) -> int | None:
    """The mode of a new file, None to keep that of the old; OSError if it cannot be replaced."""
    try:
        kind = os.stat(path).st_mode
    except FileNotFoundError:
        return mode
    if stat.S_ISDIR(kind):
        raise IsADirectoryError(0, "it is a folder", path)
    if not stat.S_ISREG(kind):
        raise FileExistsError(0, "it is not a regular file", path)
    return None


def _reach_disk(path: str) -> None:
    """Waits until a file or a folder is on the disk, on systems that can wait for both."""
    if os.name == "nt":
        return
    handle = os.open(path or ".", os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
