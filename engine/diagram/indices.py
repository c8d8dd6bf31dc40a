"""Parts of parts: `v[2:8][1:3]` is `v[3:5]`, without knowing how long `v` is."""

from __future__ import annotations

from .endpoints import Index

_ENDLESS = 2**40  # elements: more than any signal has


def composed(inner: Index | None, outer: Index | None) -> Index | None:
    """The index that takes `outer` of what `inner` takes; raises `ValueError` if none can."""
    if inner is None or outer is None:
        return outer if inner is None else inner
    parts: list[int | slice] = []
    remaining = list(outer)
    for part in inner:
        if isinstance(part, int) or not remaining:
            parts.append(part)
        else:
            parts.append(_of_slice(part, remaining.pop(0)))
    if remaining and len(inner) + len(remaining) > 2:
        raise ValueError("there are more indices than dimensions")
    return (*parts, *remaining)


def _of_slice(whole: slice, part: int | slice) -> int | slice:
    start, stop, step = whole.start, whole.stop, whole.step or 1
    if step < 0 or (start or 0) < 0 or (stop is not None and stop < 0):
        raise ValueError("a part counted from the end has no fixed position")
    elements = range(start or 0, _ENDLESS if stop is None else stop, step)
    if stop is None and _from_end(part):
        raise ValueError("a part counted from the end has no fixed position")
    if isinstance(part, int):
        try:
            return elements[part]
        except IndexError:
            raise ValueError(f"there are only {len(elements)} elements") from None
    chosen = elements[part]
    if chosen.step < 0:
        raise ValueError("a reversed part has no fixed position")
    ends = None if stop is None and part.stop is None else chosen.stop
    return slice(chosen.start, ends, None if chosen.step == 1 else chosen.step)


def _from_end(part: int | slice) -> bool:
    if isinstance(part, int):
        return part < 0
    return any(number is not None and number < 0 for number in (part.start, part.stop, part.step))
