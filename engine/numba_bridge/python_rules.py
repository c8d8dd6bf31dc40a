"""Rules of Python that blocks from outside keep when numba compiles them.

numba takes a name that was never assigned for 0, and under the rules of C the quotient of whole
numbers by 0 too: where Python raises an exception, the run would end well with a wrong number.
"""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

ERROR_MODEL = "floats as in C"
"""By numba's name for it: quotients of floats by 0 are inf or nan, those of whole numbers raise."""

_UNASSIGNED = re.compile(r"Detected uninitialized variable (\w+)")
_FILE = re.compile(r'File "([^"]+)"')


class UnassignedName(Exception):
    """A name that may be read before it is assigned."""


def declare_error_model() -> None:
    """Makes the error model known to numba; its messages tell the two kinds of quotients apart."""
    from numba.core import callconv

    class FloatsAsInC(callconv.NumpyErrorModel):
        def fp_zero_division(self, builder, exc_args=None, loc=None):
            if not exc_args or not exc_args[0].startswith("integer"):
                return False
            self.call_conv.return_user_exc(builder, ZeroDivisionError, exc_args, loc)
            return True

    callconv.error_models.setdefault(ERROR_MODEL, FloatsAsInC)


@contextmanager
def unassigned_names_refused() -> Iterator[None]:
    """Raises `UnassignedName` at the end if numba met such a name in what was compiled inside.

    What numba itself brings along, such as its `reshape`, has such names and does not count.
    """
    import numba
    from numba import config

    own = os.path.dirname(numba.__file__)

    before = config.ALWAYS_WARN_UNINIT_VAR
    config.ALWAYS_WARN_UNINIT_VAR = 1
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            yield
    finally:
        config.ALWAYS_WARN_UNINIT_VAR = before
    for warning in caught:
        match = _UNASSIGNED.search(str(warning.message))
        if match and not os.path.abspath(_file_of(warning.message)).startswith(own):
            name = match[1].partition(".")[0]
            raise UnassignedName(
                f"'{name}' may be read before it is assigned; give it a value first"
            )


def _file_of(warning: Warning | str) -> str:
    """The file that a warning of numba is about: it has a location, or its text names one."""
    location = getattr(warning, "loc", None)
    named = _FILE.search(str(warning))
    return location.filename if location else named[1] if named else ""
