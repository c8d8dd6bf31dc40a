"""Methods by which a wheel's contacts are found, as parameters of blocks.

| method | positions of contacts |
| --- | --- |
| diff | roots where the difference of heights is stationary |
| dist | roots where the distance is stationary |
| network | trained networks, from a file that belongs to the pair of profiles |
| table | a table of DIFF's points over poses, made when parameters are set |

All are kernels with the arguments of `rail_diff`. What diff and dist take as nodes of the wheel is
the table or are the weights for the others, which need neither search nor nodes. Those know yaws
up to 1 degree, rolls up to 0.75 degrees and shifts up to 10 mm, and take the nearest pose inside
for others (`detectors/from_positions.py`). Over that range 97 to 98 % of the poses have as many
contacts as by DIFF. The shipped networks find none in 1 % of them, all at a flange; with a table a
wheel at its flange may chatter, its mean forces staying those of DIFF.

A table takes 0.6 s, and half a minute more for the compiler; it is kept in the cache on disk.
"""

import os

import numpy as np
from railblocks.blocks.rail.contact.detectors.from_positions import rail_networks, rail_table
from railblocks.blocks.rail.contact.detectors.lookup import LookupTable
from railblocks.blocks.rail.contact.detectors.minima import poses_of_table
from railblocks.blocks.rail.contact.detectors.networks import Networks
from railblocks.blocks.rail.contact.geometry.detection import rail_diff, rail_dist
from railblocks.blocks.rail.contact.geometry.nodes import nodes_of
from railblocks.blocks.rail.contact.geometry.pair import Pair
from railblocks.blocks.rail.contact.learnt_pairs import OPTIONS, command
from railblocks.blocks.rail.contact.wheel_contact import misfit, placed, prepared
from railblocks.engine.declaration import Param
from railblocks.engine.errors import suggestion
from railblocks.engine.program.cached_tables import cached_table
from railblocks.engine.text.files import not_recorded

METHODS = {"diff": rail_diff, "dist": rail_dist, "network": rail_networks, "table": rail_table}
FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "detectors")


def names_networks(text: str) -> bool:
    """Whether a text names a file and not networks that are shipped."""
    return text.strip().endswith(".npz")


class ContactMethod:
    """Parameters that choose the method of contact detection."""

    method = Param("1", "how contacts are found", type=str, default="diff", choices=tuple(METHODS))
    networks = Param(
        "1", "method network: name or file of the networks", type=str, default="s1002_uic60",
        file=names_networks,
    )  # fmt: skip


def searched(method, networks, pair):
    """Table of the wheel, what the method reads (nodes, table or weights), and table of the rail.

    `pair` is a `WheelOverRail`; a right wheel takes what the left one has.
    """
    if method in ("diff", "dist"):
        return prepared(pair)
    tread, head = placed(pair)
    left = _left(pair)
    if method == "table":
        return tread.table, table_of(left, pair.scale), head.table
    return tread.table, networks_named(networks, left).table, head.table


def unlearnt(method, networks, pair):
    """Why there are no networks for a pair, and how to get some; None where none are needed."""
    if method != "network" or misfit(pair) is not None:
        return None
    try:
        networks_named(networks, _left(pair))
    except (OSError, ValueError) as error:
        scale = pair.scale
        if scale != 1.0:
            return f"{error}; networks are for scale = 1, {scale:g} is given: take method: table"
        if (fitting := shipped_for(_left(pair))) is not None:
            return f"{error}; take networks: {fitting}, which are for these profiles"
        made = command([getattr(pair, name) for name in OPTIONS])
        return f"{error}; train some with `{made}` and give FILE.npz as networks, or take table"
    return None


def shipped_networks() -> list[str]:
    """Names of the networks that are shipped."""
    return [file[:-4] for file in sorted(os.listdir(FOLDER)) if file.endswith(".npz")]


def shipped_for(pair: Pair) -> str | None:
    """The name of shipped networks that are for a pair; None if there are none."""
    for name in shipped_networks():
        try:
            networks_named(name, pair)
        except ValueError:
            continue
        return name
    return None


def networks_named(text: str, pair: Pair) -> Networks:
    """Networks by the name of a shipped file or by a path; ValueError if they are for others."""
    name, shipped = text.strip(), shipped_networks()
    if name in shipped:
        with not_recorded():
            return Networks.load(os.path.join(FOLDER, f"{name}.npz"), pair)
    if not names_networks(name):
        raise ValueError(
            f"'{text}' is not a file of networks{suggestion(name, shipped)}; "
            f"known are {', '.join(shipped)}, or the path of an .npz file"
        )
    return Networks.load(name, pair)


def table_of(pair: Pair, scale: float) -> np.ndarray:
    """The table of a pair, from the cache on disk if it has been made before."""
    numbers = cached_table(
        lambda: LookupTable.of(pair, scale).table,
        kernels=(vars(LookupTable)["of"].__func__, nodes_of),
        inputs=(pair.wheel.fingerprint, pair.rail.fingerprint, repr(float(scale))),
    )
    return numbers.reshape(1 + len(poses_of_table()), -1)


def _left(pair):
    """The profiles of the left wheel and its rail."""
    return Pair(*placed(pair._replace(side="left")))
