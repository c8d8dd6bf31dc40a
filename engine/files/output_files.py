"""Files that a command or the editor writes: pictures, tables, reports.

They replace files of their own kind, by the ending of the name, and no others.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

from ..errors import DiagramError, Position
from .replacing import replacing


@contextlib.contextmanager
def output_file(
    path: str | os.PathLike[str], what: str, endings: tuple[str, ...] = ()
) -> Iterator[str]:
    """The name of a new file that takes the place of `path` when the `with` block ends.

    `what` names the content in messages, as in "the drawing"; a file that exists is replaced only
    if it has one of the `endings`, if there are any. Raises `DiagramError`.
    """
    name = os.fspath(path)
    refuse_other_kinds(name, endings)
    try:
        with replacing(name) as temporary:
            yield temporary
    except OSError as error:
        reason = error.strerror or str(error)
        raise DiagramError(
            f"{what} cannot be written: {reason}; choose another file", Position(name)
        ) from None


def output_text(
    path: str | os.PathLike[str], text: str, what: str, endings: tuple[str, ...] = ()
) -> None:
    """Writes a text in the same way, as UTF-8."""
    with output_file(path, what, endings) as temporary, open(temporary, "wb") as file:
        file.write(text.encode("utf-8"))


def refuse_other_kinds(path: str, endings: tuple[str, ...]) -> None:
    """DiagramError for a file that exists and whose ending is that of something else."""
    if endings and os.path.isfile(path) and not path.lower().endswith(endings):
        raise DiagramError(
            f"the file exists and is not called {' or '.join(endings)}; choose another name, or "
            "delete the file",
            Position(path),
        )
