"""What bears the rails under a vehicle, as its file or the block that runs it says.

```yaml
track: {model: moving, values: zhai2004}  # or zhai2004_one_layer, ye2022, a file of a support
```

`model: rigid` are rails that do not give. With `model: moving` masses travel with each axle: by
`values`, a name or a file, whose path starts where the vehicle's own file lies; or by numbers in
this very place, the `rails`, `sleepers`, `spread` and `height` of such a file. The block's
`support` says the same by one word; where both do, they must mean the same.
"""

from __future__ import annotations

import os
from dataclasses import replace

from railblocks.blocks.rail.support.description import Support
from railblocks.blocks.rail.support.files import FIELDS, FOLDER, RIGID, support_in, support_named
from railblocks.blocks.rail.track.data_files import names_yaml, shipped
from railblocks.engine.errors import Position
from railblocks.engine.text.data_record import DataRecord

from .description import TrackUnder, Vehicle

MOVING = "moving"
NAMES = tuple(name for name in shipped(FOLDER) if name != RIGID)


def track_under(record: DataRecord | None, folder: str) -> TrackUnder | None:
    """What the section `track` of a vehicle's file says; None without one."""
    if record is None:
        return None
    model = record.text("model", choices=(RIGID, MOVING))
    name = record.text("values", "").strip()
    given = [key for key in FIELDS if key in record]
    support = support_in(record, "as in the vehicle's file") if given else support_named(RIGID)
    if problem := _misfit(record, model, name, given):
        record.problems.add(*problem)
    elif model == MOVING and name:
        support = _by_name(record, name, folder) or support
    record.close()
    return TrackUnder(support, str(record.position))


def _misfit(
    record: DataRecord, model: str, name: str, given: list[str]
) -> tuple[Position, str] | None:
    """Where fields do not fit each other, and what is wrong with them."""
    if model == RIGID and (name or given):
        key = "values" if name else given[0]
        message = f"rigid rails have no {key}; leave it out, or take `model: {MOVING}`"
        return record.position_of(key), message
    if name and given:
        return record.position_of(given[0]), f"{given[0]} and values; leave one of them out"
    if model == MOVING and not name and "rails" not in given:
        message = f"a moving track without numbers; expected `values`, {', '.join(NAMES)} "
        return record.position, message + "or a YAML file, or its `rails`"
    return None


def _by_name(record: DataRecord, name: str, folder: str) -> Support | None:
    where = record.position_of("values")
    if names_yaml(name):
        with record.problems.collected():
            support = support_named(os.path.join(folder, name))
            if support.rails is None:
                message = f"rails of {name} do not give; take `model: {RIGID}`"
                record.problems.add(where, message)
            return support
    elif name in NAMES:
        return support_named(name)
    near = record.problems.near(name, NAMES)
    message = f"values is '{name}'{near}; expected {', '.join(NAMES)}, or a YAML file"
    record.problems.add(where, message)
    return None


def support_under(vehicle: Vehicle, support: str) -> Support:
    """What bears the rails: by the block's `support`, by the vehicle's file, or nothing gives."""
    if support.strip():
        return support_named(support)
    return vehicle.track.support if vehicle.track else support_named(RIGID)


def contradiction(vehicle: Vehicle, support: str) -> str | None:
    """What is wrong where block and file both say what bears the rails, or None."""
    track = vehicle.track
    if track is None or not support.strip():
        return None
    if replace(support_named(support), title="") == replace(track.support, title=""):
        return None
    return (
        f"support = {support}, but at {track.position} the vehicle's file has a track of its own, "
        f"'{track.support.title}'; leave one of them out"
    )
