"""Examples that compile a kernel first may take longer than hypothesis allows by default."""

from hypothesis import settings

settings.register_profile("blocks", deadline=None)
settings.load_profile("blocks")
