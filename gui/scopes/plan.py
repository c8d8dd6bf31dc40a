"""What a scope shows: its axes and their signals, as it is saved with the diagram."""

from __future__ import annotations

from dataclasses import dataclass, replace

VIEWS = ("time", "x-y", "spectrum")


@dataclass(frozen=True)
class ScopePlan:
    """Axes from top to bottom, each with the names of its signals."""

    title: str
    axes: tuple[tuple[str, ...], ...] = ()
    view: str = "time"

    @classmethod
    def of(cls, saved: dict) -> ScopePlan:
        """The plan that a file describes; what cannot be used is left out."""
        axes = saved.get("axes")
        named = [
            tuple(str(name) for name in axis)
            for axis in (axes if isinstance(axes, list) else [])
            if isinstance(axis, list) and axis
        ]
        view = saved.get("view")
        title = saved.get("title")
        return cls(
            title if isinstance(title, str) else "Scope",
            tuple(named),
            view if view in VIEWS else "time",
        )

    def saved(self) -> dict:
        plain = {"title": self.title, "axes": [list(axis) for axis in self.axes]}
        return plain if self.view == "time" else plain | {"view": self.view}

    @property
    def signals(self) -> list[str]:
        return list(dict.fromkeys(name for axis in self.axes for name in axis))

    def with_signal(self, name: str, axis: int | None = None) -> ScopePlan:
        """One signal more, on an axis or on one of its own."""
        if name in self.signals:
            return self
        axes = list(self.axes)
        if axis is None or axis >= len(axes):
            axes.append((name,))
        else:
            axes[axis] = (*axes[axis], name)
        return replace(self, axes=tuple(axes))
