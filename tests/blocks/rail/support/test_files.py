"""Files of what bears the rails: what they say, and what is told of bad ones."""

import pytest
from railblocks.blocks.rail.support.files import FOLDER, read_support, support_named
from railblocks.blocks.rail.track.data_files import shipped
from railblocks.engine import DiagramError, check
from vehicle_alone import diagram

RAILS = "rails: {mass: 79 kg, stiffness: [30 MN/m, 188 MN/m]}\n"


def read(folder, text):
    (folder / "bed.yaml").write_text(f"support: 1\n{text}", encoding="utf-8")
    return read_support(folder / "bed.yaml")


@pytest.mark.parametrize("name", shipped(FOLDER))
def test_every_shipped_support_is_read(name):
    assert support_named(name).title


def test_rails_alone_lie_on_the_ground(tmp_path):
    support = read(tmp_path, RAILS)
    assert support.sleepers is None
    assert support.rails.stiffness == (30e6, 188e6)
    assert support.rails.damping == (0.0, 0.0)
    assert (support.spread, support.height) == (1.5, 0.172)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rails: {mass: 0, stiffness: [1, 1]}\n", "bed.yaml:2:15: mass = 0; expected a"),
        ("rails: {mass: 1, stiffness: [1, 0]}\n", "0 N/m upright; expected one above 0"),
        ("rails: {mass: 1, stiffness: [1]}\n", "is 1 values; expected a list of 2 values"),
        ("rails: {mass: 1, stiffness: [1, 1], damping: [-1, 0]}\n", "damping = -1; expected"),
        ("rails: {mass: 1, stiffness: [1, 1], inertia: 1}\n", "no spring; give `turning`"),
        ("rails: {mass: 1, stiffness: [1, 1], turning: 1}\n", "no inertia in roll"),
        (RAILS + "sleepers: {mass: 1, stiffness: [1, 1]}\n", "'inertia' is missing"),
        ("sleepers: {mass: 1, inertia: 1, stiffness: [1, 1]}\n", "sleepers but no rails"),
        (RAILS + "sleeper: 1\n", "did you mean 'sleepers'?"),
        ("spread: 3 s\n", "spread"),
    ],
)  # fmt: skip
def test_a_bad_file_is_told(tmp_path, text, message):
    with pytest.raises(DiagramError) as refused:
        read(tmp_path, text)
    assert message in str(refused.value)


def test_an_unknown_name_is_told():
    with pytest.raises(DiagramError, match="'zhai204' is not a support; did you mean 'zhai2004'"):
        check(diagram(v_0="1 m/s", support="zhai204"))
