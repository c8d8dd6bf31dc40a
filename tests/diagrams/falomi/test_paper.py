"""The options of the paper on contact points."""

import pytest
from paper_tables import options_of


@pytest.mark.parametrize("option", ["--poses", "--epochs"])
@pytest.mark.parametrize("text", ["0", "-3", "many"])
def test_numbers_of_poses_and_epochs_are_positive(option, text, capsys):
    with pytest.raises(SystemExit):
        options_of("falomi", f"{option}={text}")
    assert f"{option}: '{text}' is not a number from 1 on" in capsys.readouterr().err


def test_one_part_alone_is_contact_points_or_the_s_curve():
    assert options_of("falomi").only is None
    assert options_of("falomi", "--only", "points").only == "points"
    assert options_of("falomi", "--only", "s-curve").only == "s-curve"
