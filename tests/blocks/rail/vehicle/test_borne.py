"""The section `track` of a vehicle's file: the same as `support` of the block, never against it."""

import pytest
from bench import Bench
from railblocks.blocks.rail.support.files import support_named
from railblocks.blocks.rail.vehicle.files import read_vehicle
from railblocks.engine import DiagramError, check
from vehicle_alone import LOOSE, diagram

BED = "rails: {mass: 79 kg, stiffness: [15 MN/m, 40 MN/m], damping: [80 kN*s/m, 60 kN*s/m]}"
LINE = len(LOOSE.splitlines()) + 1
TABLES = ("bed_mass", "bed_stiffness", "bed_damping", "bed_give", "seat", "q_0", "Q_0")


@pytest.fixture
def vehicle(tmp_path):
    """Writes LOOSE with a track and returns its path; a file of a support lies beside it."""
    (tmp_path / "bed.yaml").write_text(f"support: 1\n{BED}\n", encoding="utf-8")
    (tmp_path / "none.yaml").write_text("support: 1\n", encoding="utf-8")

    def write(track=""):
        path = tmp_path / f"vehicle_{len(list(tmp_path.iterdir()))}.yaml"
        section = f"track: {{{track}}}\n" if track else ""
        path.write_text(LOOSE + section, encoding="utf-8")
        return str(path)

    return write


def tables(vehicle, **values):
    """What the block derives of its track and of the vehicle at rest on it, as bytes."""
    block = Bench("rail.vehicle", v_0=0.0, mu=0.0, vehicle=vehicle, **values)
    return [block.values[name].tobytes() for name in TABLES]


@pytest.mark.parametrize(
    ("track", "support"),
    [
        ("model: moving, values: zhai2004", "zhai2004"),
        ("model: moving, values: ye2022", "ye2022"),
        ("model: moving, values: bed.yaml", "bed.yaml"),
        (f"model: moving, {BED}", "bed.yaml"),
        ("model: rigid", "rigid"),
        ("", "rigid"),
    ],
)
def test_the_file_means_what_the_block_does(vehicle, tmp_path, track, support):
    by_block = support.replace("bed", str(tmp_path / "bed"))
    without = tables(vehicle(), support=by_block)
    assert tables(vehicle(track)) == without
    assert tables(vehicle(track), support=by_block) == without  # both, and the same


@pytest.mark.parametrize("track", ["model: moving, values: zhai2004", "model: rigid"])
def test_a_block_against_its_vehicles_file_is_refused_with_both_places(vehicle, track):
    path = vehicle(track)
    with pytest.raises(DiagramError) as refused:
        check(diagram(v_0="1 m/s", vehicle=path, support="ye2022"))
    title = "Rigid" if "rigid" in track else support_named("zhai2004").title
    message = f"support = ye2022, but at {path}:{LINE}:8 the vehicle's file has a track of its own"
    assert f"{message}, '{title}'; leave one of them out" in str(refused.value)


@pytest.mark.parametrize(
    ("track", "message"),
    [
        ("values: ye2022", ":8: 'model' is missing"),
        ("model: movin", ":16: model is 'movin'; did you mean 'moving'?; expected one of rigid, "),
        ("model: moving", ":8: a moving track without numbers; expected `values`, ye2022, zhai"),
        ("model: moving, spread: 1 m", ":8: a moving track without numbers"),
        ("model: moving, values: zhai204", ":32: values is 'zhai204'; did you mean 'zhai2004'?"),
        ("model: moving, values: rigid", ":32: values is 'rigid'; expected ye2022, zhai2004"),
        ("model: moving, values: none.yaml", ":32: rails of none.yaml do not give; take `model"),
        ("model: moving, values: nowhere.yaml", "nowhere.yaml: there is no such file"),
        (f"model: moving, values: ye2022, {BED}", ":47: rails and values; leave one of them out"),
        ("model: rigid, values: ye2022", ":31: rigid rails have no values; leave it out, or take"),
        (f"model: rigid, {BED}", ":30: rigid rails have no rails; leave it out"),
        ("model: moving, rails: {mass: 1, stiffness: [1, 0]}", "0 N/m upright; expected one above"),
        ("model: rigid, value: 3", ":23: 'value' is not a field here; did you mean 'values'?"),
    ],
)  # fmt: skip
def test_a_bad_section_is_told_with_its_place(vehicle, track, message):
    path = vehicle(track)
    with pytest.raises(DiagramError) as refused:
        read_vehicle(path)
    told = str(refused.value)
    assert (f"{path}:{LINE}{message}" if message.startswith(":") else message) in told
