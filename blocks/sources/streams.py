"""What every block with noise declares: its stream, and the seed of the realisation."""

from railblocks.engine.declaration import Param


def seed():
    return Param(
        "1", "selects the realisation of the noise", type=int, default=0, ge=0, lt=2**32
    )  # fmt: skip


def stream():
    return Param(
        "1",
        "name of the random stream; the path of the block if it is empty",
        type=str,
        default="",
    )
