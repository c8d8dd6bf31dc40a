"""Light and dark colours: of the canvas, of the widgets around it, and of plots."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QColor, QPalette


@dataclass(frozen=True)
class Theme:
    """A theme: colours by what they are for."""

    name: str
    paper: str
    grid: str
    block: str
    subsystem: str
    marker: str
    edge: str
    ink: str
    wire: str
    faint: str
    note: str
    accent: str
    error: str
    warning: str
    good: str
    note_paper: str
    window: str
    base: str
    alternate: str
    text: str
    button: str
    curves: tuple[str, ...]

    def fill(self, kind: str) -> QColor:
        fills = {"block": self.block, "subsystem": self.subsystem}
        return QColor(fills.get(kind, self.marker))

    def palette(self) -> QPalette:
        """The palette of all widgets."""
        palette = QPalette()
        role = QPalette.ColorRole
        colours = {
            role.Window: self.window,
            role.WindowText: self.text,
            role.Base: self.base,
            role.AlternateBase: self.alternate,
            role.ToolTipBase: self.base,
            role.ToolTipText: self.text,
            role.Text: self.text,
            role.Button: self.button,
            role.ButtonText: self.text,
            role.BrightText: self.error,
            role.Link: self.accent,
            role.Highlight: self.accent,
            role.HighlightedText: "#ffffff",
            role.PlaceholderText: self.note,
            role.Mid: self.edge,
        }
        for name, colour in colours.items():
            palette.setColor(name, QColor(colour))
        for name in (role.Text, role.WindowText, role.ButtonText, role.Highlight):
            palette.setColor(QPalette.ColorGroup.Disabled, name, QColor(self.faint))
        return palette


LIGHT = Theme(
    name="light", paper="#ffffff", grid="#e6eaee", block="#ffffff", subsystem="#f3f7fb",
    marker="#eef3f7", edge="#3b4a59", ink="#1f2933", wire="#1f2933", faint="#a7b1bb",
    note="#5a6672", accent="#1769aa", error="#c62828", warning="#a15c00", good="#2e7d32",
    note_paper="#fff8dc",
    window="#f2f4f6", base="#ffffff", alternate="#f7f9fa", text="#1f2933", button="#e9edf0",
    curves=("#1769aa", "#c25e00", "#2e7d32", "#8e24aa", "#c62828", "#00838f", "#6d4c41", "#5c6bc0"),
)  # fmt: skip
DARK = Theme(
    name="dark", paper="#1e2329", grid="#2a3038", block="#2b323b", subsystem="#28374a",
    marker="#27404a", edge="#9fb0c0", ink="#e4e9ee", wire="#c9d3dc", faint="#66717d",
    note="#a3b0bc", accent="#4aa3df", error="#ff6b6b", warning="#ffb74d", good="#66bb6a",
    note_paper="#3a3726",
    window="#252b32", base="#1e2329", alternate="#232930", text="#e4e9ee", button="#323a44",
    curves=("#4aa3df", "#ffa14a", "#66bb6a", "#ce93d8", "#ff6b6b", "#4dd0e1", "#bcaaa4", "#9fa8da"),
)  # fmt: skip
THEMES = {theme.name: theme for theme in (LIGHT, DARK)}
