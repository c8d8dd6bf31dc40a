"""`python -m railblocks.engine.cli`."""

import sys

from . import main

sys.exit(main())
