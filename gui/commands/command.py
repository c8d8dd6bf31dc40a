"""What a command is: its text, keys and help, what it does, and when it can be done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..controllers.editor import Editor


def always(_: Editor) -> bool:
    return True


@dataclass(frozen=True)
class Command:
    """One thing that a user can do with a menu, a tool bar or keys.

    `label`, `is_enabled` and `is_checked` are asked again whenever the editor changes; a command
    with `is_checked` is a switch. With `on_canvas` its keys count only while the canvas or the
    explorer has the focus. `bar_text` is a shorter text for tool bars.
    """

    name: str
    text: str
    act: Callable[[Editor], object]
    help: str
    keys: str = ""
    on_canvas: bool = False
    bar_text: str = ""
    label: Callable[[Editor], str] | None = None
    is_enabled: Callable[[Editor], bool] = always
    is_checked: Callable[[Editor], bool] | None = None

    @property
    def plain_text(self) -> str:
        """The text without the mark of its key in a menu."""
        return self.text.replace("&", "")


@dataclass(frozen=True)
class Separator:
    """A line between the commands of a menu."""


@dataclass(frozen=True)
class Submenu:
    """A menu inside a menu whose entries are made anew each time: their texts and what they do."""

    text: str
    entries: Callable[[Editor], list[tuple[str, Callable[[], object]]]]
    empty: str  # shown if there are no entries


SEPARATOR = Separator()


@dataclass(frozen=True)
class Menu:
    """A menu of the window."""

    title: str
    entries: tuple[Command | Separator | Submenu, ...]

    @property
    def commands(self) -> tuple[Command, ...]:
        return tuple(entry for entry in self.entries if isinstance(entry, Command))
