"""What a window needs of the system."""

import pytest
from railblocks.engine.errors import DiagramError
from railblocks.gui.system.window_system import require_window_system


def test_a_missing_display_is_told():
    with pytest.raises(DiagramError, match="no display"):
        require_window_system({"QT_QPA_PLATFORM": "xcb"})
    require_window_system({"QT_QPA_PLATFORM": "offscreen"})
