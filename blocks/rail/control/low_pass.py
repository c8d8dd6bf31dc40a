"""The low-pass of a filter, or none: then the filter has no states of it, and follows at once."""

from railblocks.blocks.base.variants import variant
from railblocks.engine.declaration import Param


class LowPass:
    """Parameters of the low-pass; `unsmoothed` are the members of the block without it."""

    unsmoothed = None
    low_pass = Param("1", "whether noise is taken out", type=bool, default=True)
    f_noise = Param("Hz", "corner of the low-pass", default=50.0, gt=0)

    @classmethod
    def specialise(cls, values):
        if values["low_pass"] or cls.unsmoothed is None:
            return cls
        return variant(cls, **cls.unsmoothed)
