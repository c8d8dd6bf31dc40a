"""Profiles through points and from files: how near they come, and what is told of bad ones."""

import math

import numpy as np
import pytest
from rail_references import FOLDER
from railblocks.blocks.rail.contact.profiles.drawn import arc, table_of
from railblocks.blocks.rail.contact.profiles.files import from_points, read_profile
from railblocks.blocks.rail.contact.profiles.naming import profile_named
from railblocks.blocks.rail.contact.profiles.profile import Profile
from railblocks.blocks.rail.contact.profiles.rails import uic60
from railblocks.blocks.rail.contact.profiles.wheels import s1002

MM = 1e-3


def samples(profile, spacing):
    """Points each so far along the curve."""
    y = np.linspace(*profile.reach, 40001)
    length = np.concatenate(([0.0], np.cumsum(np.hypot(np.diff(y), np.diff(profile.height(y))))))
    places = np.interp(np.arange(0.0, length[-1], spacing), length, y)
    return places, profile.height(places)


def errors(profile, expected, low, high):
    """Largest errors of height (mm), slope and curvature (1/m) between two places in mm."""
    y = np.arange(low, high, 0.1) * MM
    difference = profile(y) - expected(y)
    curvature = profile.curvature(y) - expected.curvature(y)
    return np.abs([difference[:, 0] / MM, difference[:, 1], curvature]).max(axis=1)


@pytest.fixture
def write(tmp_path):
    """Writes a file of points; the result is its path."""

    def written(text):
        path = tmp_path / "head.txt"
        path.write_text(text)
        return str(path)

    return written


ARC = [(0.5 * i - 5.0, math.sqrt(300.0**2 - (0.5 * i - 5.0) ** 2) - 300.0) for i in range(21)]


def lines(points=ARC, between=" "):
    return [f"{y!r}{between}{z!r}" for y, z in points]


# --- how near ------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("low", "high", "allowed"),
    [
        (-20, 25, (1e-7, 1e-6, 0.01)),  # the tread, one polynomial
        (-33, -27, (2e-6, 1e-5, 0.2)),  # the root of the flange
        (-25, 30, (2e-6, 1e-5, 0.05)),  # up to the joint at 32.2 mm, where the curvature jumps
        (-45, 55, (0.015, 0.1, 50.0)),  # over the joints of the flange: points are 0.5 mm apart
    ],
)
def test_s1002_from_its_points_has_its_heights_slopes_and_curvature(low, high, allowed):
    wheel = read_profile(FOLDER / "s1002_points.csv")
    assert (errors(wheel, s1002(0.0), low, high) < allowed).all()


@pytest.mark.parametrize("variant", ["manchester", "60E1"])
@pytest.mark.parametrize(
    ("low", "high", "allowed"),
    [
        (-9, 9, (1e-7, 1e-6, 0.005)),  # within 300 mm
        (12, 24, (1e-7, 1e-6, 0.005)),  # within 80 mm
        (-25.5, 25.5, (1e-4, 5e-4, 5.0)),  # over the joint, where the curvature jumps by 9 / m
        (-34, 34, (2e-4, 3e-3, 35.0)),  # to a slope of 1.5 on 13 mm, where it jumps by 64 / m
    ],
)
def test_uic60_from_points_has_its_heights_slopes_and_curvature(variant, low, high, allowed):
    head = uic60(variant)
    profile = from_points(*samples(head, 0.25 * MM))
    assert (errors(profile, head, low, high) < allowed).all()


def test_without_smoothing_the_profile_goes_through_its_points():
    y, z = samples(uic60(), 0.5 * MM)
    profile = from_points(y, z)
    assert np.allclose(profile.height(y), z, rtol=0, atol=1e-15)
    assert profile.reach == (y[0], y[-1])
    assert np.abs(profile.jumps()[:, 0]).max() < 1e-15
    assert np.abs(profile.jumps()[:, 1]).max() < 1e-11


def test_smoothing_leaves_the_deviation_that_is_asked_for_and_finds_the_radius():
    noise = np.random.default_rng(1).normal(0.0, 5e-6, 401)
    y = np.linspace(-20, 20, 401) * MM
    circle = Profile("circle", table_of([arc(-0.021, 0.021, 0.08, (0.0, -0.08))]))
    z = circle.height(y) + noise
    with pytest.raises(ValueError, match=r"turns by \d+ degrees.*or smoothing, if it is noise"):
        from_points(y, z + 5.0 * noise)
    profile = from_points(y, z, smoothing=5e-6)
    deviation = math.sqrt(np.mean((profile.height(y) - z) ** 2))
    assert math.isclose(deviation, 5e-6, rel_tol=0.1)
    middle = np.linspace(-15, 15, 99) * MM
    assert np.abs(profile.slope(middle) - circle.slope(middle)).max() < 5e-3
    assert np.abs(profile.curvature(middle) - 12.5).max() < 2.5


def test_noise_about_a_line_is_smoothed_to_it():
    y = np.linspace(-20, 20, 81) * MM
    profile = from_points(y, -0.05 * y + 1e-6 * np.sin(1e6 * y), smoothing=1e-5)
    assert np.allclose(profile.slope(y[1:-1]), -0.05, rtol=0, atol=1e-4)


@pytest.mark.parametrize("smoothing", [0.1, -1.0, math.nan])
def test_smoothing_that_is_none_is_told(smoothing):
    y = np.linspace(-20, 20, 81) * MM
    with pytest.raises(ValueError, match=r"smoothing = \S+ m; expected 0 to 0.001 m"):
        from_points(y, -(y**2), smoothing=smoothing)


def test_points_in_reverse_give_the_same_profile():
    y, z = samples(uic60(), 0.5 * MM)
    assert from_points(y[::-1], z[::-1]).fingerprint == from_points(y, z).fingerprint


# --- ways to write a file ------------------------------------------------------------------------
@pytest.mark.parametrize(
    "text",
    [
        "\n".join(lines()),
        "\n".join(lines(between=",")),
        "\n".join(lines(between="\t")),
        "\n".join(lines(between="; ")),
        "\n".join(line.replace(".", ",") for line in lines(between=";")),
        "# a head\n\ny z\n" + "\n".join(f"{line}  ! measured" for line in lines()),
        "y [mm] z [mm]\n" + "\n".join(lines()),
        "number,z_mm,y_mm\n" + "\n".join(f"{i},{z!r},{y!r}" for i, (y, z) in enumerate(ARC)),
        '"s (mm)","F (mm)"\n' + "\n".join(lines(between=",")),
        "\ufeff" + "\r\n".join(lines()),
        "\n".join(lines(ARC[::-1])),
    ],
)
def test_a_file_can_be_written_in_many_ways(write, text):
    head = read_profile(write(text))
    assert head.name == "head"
    assert np.allclose(head.reach, (-0.005, 0.005))
    assert math.isclose(float(head.curvature(0.0)), 1 / 0.3, rel_tol=1e-6)


def test_the_unit_of_a_file_can_be_given(write):
    path = write("\n".join(lines((y * MM, z * MM) for y, z in ARC)))
    assert np.allclose(read_profile(path, unit="m").reach, (-0.005, 0.005))
    with pytest.raises(ValueError, match=r"are 1e-05 m wide .* check the unit"):
        read_profile(path)
    with pytest.raises(ValueError, match=r"unit 'cm' is unknown; expected one of mm, m, um, in"):
        read_profile(path, unit="cm")


# --- bad files -----------------------------------------------------------------------------------
def changed(number, text):
    """The lines of the arc with another one at a number counted from 1."""
    result = lines()
    result[number - 1] = text
    return "\n".join(result)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", ": there are no points; expected a line `y z` for each"),
        ("# nothing\n", ": there are no points; expected a line `y z` for each"),
        ("\n".join(lines()[:9]), ": 9 points; expected at least 10"),
        (changed(7, "abc 1.0"), ":7: column 1 is not a number; expected y and z"),
        (changed(7, "-2.0 nan"), ":7: column 2 is not a number; expected y and z"),
        (changed(7, "-2.0"), ":7: 1 columns; expected y and z on each line"),
        (changed(7, "-2.7 0.0"), ":7: y goes back from -2.5 to -2.7 mm; the profile overhangs"),
        (changed(7, lines()[5]), ":7: the point at y = -2.5 mm is repeated; remove one"),
        (changed(7, "-2.5 0.3"), ":7: there are two heights at y = -2.5 mm; expected one"),
        (changed(7, "-2.0 0.8"), ":7: the profile turns by "),
        ("\n".join(lines()[::2] + lines()[1::2]), ":12: y goes back from 5 to -4.5 mm"),
        (
            "\n".join(lines()[:8] + lines()[13:]),
            ":9: 3 mm from the point before; expected",
        ),
        ("y_m z_m\n" + "\n".join(lines()), ":1: column 'y_m' is in m; expected mm, give unit='m'"),
        ("\n".join(lines(sorted(ARC, key=lambda p: math.sin(9 * p[0])))), "are not in order"),
    ],
)
def test_a_bad_file_is_told_with_its_line(write, text, message):
    path = write(text)
    with pytest.raises(ValueError, match=r"^\S+head\.txt") as error_info:
        read_profile(path)
    assert message in str(error_info.value)
    assert str(error_info.value).startswith(path)
    assert "\n" not in str(error_info.value)


def test_files_that_are_none_are_told(tmp_path):
    with pytest.raises(ValueError, match=r"none\.csv: there is no such file; check the path"):
        read_profile(tmp_path / "none.csv")
    with pytest.raises(ValueError, match=r"is a folder; expected lines"):
        read_profile(tmp_path)
    (tmp_path / "bytes.csv").write_bytes(b"\xff\xfe\x00\x81")
    with pytest.raises(ValueError, match=r"bytes\.csv:1:1: byte 0xff is not UTF-8"):
        read_profile(tmp_path / "bytes.csv")


def test_bad_points_are_told_with_their_number():
    y = np.linspace(0.0, 0.01, 11)
    with pytest.raises(ValueError, match=r"^left, point 5: \(nan, 0\) m is not a point"):
        from_points(np.where(y == y[4], np.nan, y), 0.0 * y, name="left")
    with pytest.raises(ValueError, match=r"shapes \(11,\) and \(10,\)"):
        from_points(y, y[1:])


# --- names ---------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("s1002", lambda: s1002(0.46)),
        ("S1002 ", lambda: s1002(0.46)),
        ("uic60", lambda: uic60().moved(dz=0.46)),
        ("uic60_60e1", lambda: uic60("60E1").moved(dz=0.46)),
    ],
)
def test_profiles_have_names(name, expected):
    assert profile_named(name, 0.46).fingerprint == expected().fingerprint


def test_cones_and_cylinders_have_names():
    assert np.allclose(profile_named("cone 1/20", 0.5)(0.02), [0.499, -0.05, 0.0])
    assert np.allclose(profile_named("cone 0.025", 0.5)(0.02), [0.4995, -0.025, 0.0])
    assert np.allclose(profile_named("cylinder", 0.5)(0.02), [0.5, 0.0, 0.0])
    with pytest.raises(ValueError, match="'cone 3/2' is not a cone; expected a slope below 1"):
        profile_named("cone 3/2")


def test_a_path_names_the_profile_of_its_file():
    wheel = profile_named(str(FOLDER / "s1002_points.csv"), 0.46)
    assert math.isclose(wheel.height(0.0), 0.46, abs_tol=1e-9)
    with pytest.raises(ValueError, match=r"worn/wheel\.csv: there is no such file"):
        profile_named("worn/wheel.csv")


def test_an_unknown_name_is_told_with_what_is_known():
    with pytest.raises(
        ValueError, match="'s102' is not a profile; did you mean 's1002'"
    ) as error_info:
        profile_named("s102")
    for known in ("s1002", "uic60", "uic60_60e1", "cylinder", "cone 1/20", "path of a file"):
        assert known in str(error_info.value)
