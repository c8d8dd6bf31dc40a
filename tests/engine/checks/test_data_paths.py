"""Files that diagrams name: where paths start, what is recorded, what is no file."""

import hashlib
import io
import os
import zipfile

import numpy as np
import pytest
from railblocks.engine import DiagramBuilder, Results, load, loads, save, simulate
from railblocks.engine.analysis.checking import check
from railblocks.engine.declaration.registry import standard_blocks
from railblocks.engine.errors import DiagramError
from railblocks.engine.measurements.csv_table import read_csv
from railblocks.engine.measurements.reading import load_data

CSV = "t,u\n0,VALUE\n10,VALUE\n"
DIAGRAM = """\
diagram: 1
PARAMETERS
blocks:
  source: {type: sources.from_file, path: PATH, column: u}
outputs: {y: source.y}
solver: {stop: 1 s, method: rk4, step: 0.5 s}
log: {signals: [source.y]}
"""


def diagram(path="data/signal.csv", parameters=""):
    return DIAGRAM.replace("PATH", path).replace("PARAMETERS\n", parameters)


def constant(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(CSV.replace("VALUE", str(value)))


def last(given, name="source.y", **options):
    return simulate(given, compiled=False, **options)[name][-1]


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """The current folder; a file of each name lies here too, with another value."""
    here = tmp_path / "elsewhere"
    constant(here / "data" / "signal.csv", -1.0)
    constant(here / "signal.csv", -1.0)
    monkeypatch.chdir(here)
    return tmp_path


def test_a_path_starts_at_the_folder_of_the_diagram(elsewhere):
    home = elsewhere / "home"
    constant(home / "data" / "signal.csv", 3.0)
    (home / "d.yaml").write_text(diagram())
    assert last(load(home / "d.yaml")) == 3.0
    assert last(load("../home/d.yaml")) == 3.0
    assert last(loads(diagram(), str(home / "d.yaml"))) == 3.0
    assert last(loads(diagram(), folder=home)) == 3.0
    assert last(loads(diagram())) == -1.0


def test_the_current_folder_may_change_after_loading(elsewhere, monkeypatch):
    home = elsewhere / "home"
    constant(home / "data" / "signal.csv", 3.0)
    (home / "d.yaml").write_text(diagram())
    monkeypatch.chdir(home)
    loaded = load("d.yaml")
    monkeypatch.chdir(elsewhere / "elsewhere")
    assert last(loaded) == 3.0


def test_a_subsystem_names_its_own_data(elsewhere):
    home = elsewhere / "home"
    constant(home / "parts" / "signal.csv", 5.0)
    constant(home / "signal.csv", 7.0)
    (home / "parts" / "part.yaml").write_text(diagram("signal.csv"))
    (home / "d.yaml").write_text(
        "diagram: 1\nblocks: {part: {subsystem: parts/part.yaml}, inline: {subsystem: {blocks: "
        "{source: {type: sources.from_file, path: signal.csv, column: u}}}}}\n"
        "solver: {stop: 1 s, method: rk4, step: 0.5 s}\nlog: {signals: all}\n"
    )
    results = simulate(load(home / "d.yaml"), compiled=False)
    assert results["part.source.y"][-1] == 5.0
    assert results["inline.source.y"][-1] == 7.0


def test_a_path_from_a_parameter_starts_where_the_parameter_stands(elsewhere):
    home = elsewhere / "home"
    constant(home / "parts" / "signal.csv", 5.0)
    constant(home / "signal.csv", 7.0)
    parameters = 'parameters: {data: "signal.csv"}\n'
    (home / "parts" / "part.yaml").write_text(diagram("data", parameters))
    (home / "parts" / "set.yaml").write_text(parameters)
    start = "diagram: 1\nblocks: {part: {subsystem: parts/part.yaml"
    end = "}}\nsolver: {stop: 1 s, method: rk4, step: 0.5 s}\nlog: {signals: all}\n"
    (home / "own.yaml").write_text(start + end)
    (home / "given.yaml").write_text(start + ', data: "signal.csv"' + end)
    assert last(load(home / "own.yaml"), "part.source.y") == 5.0
    assert last(load(home / "given.yaml"), "part.source.y") == 7.0
    (home / "set.yaml").write_text(diagram("data", "include: parts/set.yaml\n"))
    assert last(load(home / "set.yaml")) == 5.0
    included = diagram().replace("path: data/signal.csv", "include: parts/path.yaml")
    (home / "parts" / "path.yaml").write_text('parameters: {path: "signal.csv"}\n')
    (home / "block.yaml").write_text(included)
    assert last(load(home / "block.yaml")) == 5.0


def test_values_from_outside_start_at_the_diagram(elsewhere):
    home = elsewhere / "home"
    constant(home / "signal.csv", 7.0)
    constant(home / "data" / "signal.csv", 3.0)
    (home / "d.yaml").write_text(diagram())
    assert last(load(home / "d.yaml"), values={"source.path": "signal.csv"}) == 7.0


def test_a_diagram_from_python_starts_at_the_current_folder(elsewhere):
    built = DiagramBuilder().add("source", "sources.from_file", path="signal.csv", column="u")
    assert last(built.solver(stop="1 s", method="rk4", step="0.5 s").build()) == -1.0


def test_every_parameter_that_names_a_file_says_so():
    """Blocks that read files declare which texts name one."""
    named = {
        (block.declaration.id, name)
        for block in standard_blocks()
        for name, param in block.declaration.params.items()
        if param.file is not None
    }
    declared = {
        (block.declaration.id, name)
        for block in standard_blocks()
        for name, param in block.declaration.params.items()
        if param.type is str
        and not param.choices
        and name != "stream"  # of random numbers, named by its path in the diagram
        and any(word in param.doc for word in ("file", "path", "profile"))
    }
    assert declared == named
    assert {name for _, name in named} == {
        "path", "wheel", "rail", "roller", "vehicle", "track", "networks", "support",
    }  # fmt: skip


VEHICLE = """\
vehicle: 1
wheels: {radius: 0.46 m, profile: PROFILE}
bodies:
  axle: {mass: 1000 kg, inertia: [100, 10, 100], place: [0, 0, 0.46]}
  frame: {mass: 1000 kg, inertia: [100, 100, 100], place: [0, 0, 1]}
wheelsets: {axle: frame}
elements: {}
"""


def test_files_inside_data_files_start_where_these_lie(elsewhere):
    from railblocks.blocks.rail.track.files import read_track
    from railblocks.blocks.rail.vehicle.files import read_vehicle

    home = elsewhere / "home"
    home.mkdir()
    (home / "coach.yaml").write_text(VEHICLE.replace("PROFILE", "worn.csv"))
    with pytest.raises(DiagramError, match=rf"{home}/worn.csv: there is no such file"):
        read_vehicle(home / "coach.yaml")
    (home / "coach.yaml").write_text(VEHICLE.replace("PROFILE", "cone 1/20"))
    assert read_vehicle(home / "coach.yaml").profile == "cone 1/20"
    line = "track: 1\nrail: head.csv\nsegments: [{length: 10 m}]\n"
    (home / "line.yaml").write_text(line)
    (elsewhere / "elsewhere" / "head.csv").write_text("y z\n0 0\n1 0\n2 0\n")
    with pytest.raises(DiagramError, match=rf"{home}/head.csv: there is no such file"):
        read_track(home / "line.yaml")


def test_profiles_and_lines_of_blocks_start_at_the_diagram(elsewhere):
    home = elsewhere / "home"
    home.mkdir()
    blocks = {
        "{type: rail.track, track: lines/line.yaml}": "lines/line.yaml",
        "{type: rail.mdm_rig, wheel: worn.csv}": "worn.csv",
    }
    for block, path in blocks.items():
        text = f"diagram: 1\nblocks: {{b: {block}}}\n"
        with pytest.raises(DiagramError) as caught:
            check(loads(text, str(home / "d.yaml")))
        assert f"{home}/{path}: there is no such file" in str(caught.value)


# --- what a run read -------------------------------------------------------------------------
def test_results_record_every_file_that_was_read(elsewhere):
    home = elsewhere / "home"
    constant(home / "data" / "signal.csv", 3.0)
    (elsewhere / "set.yaml").write_text("parameters: {k: 1}\n")
    (home / "part.yaml").write_text(diagram())
    (home / "d.yaml").write_text(
        "diagram: 1\ninclude: ../set.yaml\nblocks: {part: {subsystem: part.yaml}}\n"
        "solver: {stop: 1 s, method: rk4, step: 0.5 s}\nlog: {signals: all}\n"
    )
    expected = {
        name: hashlib.sha256(path.read_bytes()).hexdigest()
        for name, path in {
            "d.yaml": home / "d.yaml",
            str(elsewhere / "set.yaml"): elsewhere / "set.yaml",
            "part.yaml": home / "part.yaml",
            os.path.join("data", "signal.csv"): home / "data" / "signal.csv",
        }.items()
    }
    results = simulate(load(home / "d.yaml"), compiled=False)
    results.save("out.h5")
    written = simulate(load(home / "d.yaml"), compiled=False, output="direct.h5")
    for result in (results, Results.load("out.h5"), written):
        assert {file["path"]: file["sha256"] for file in result.meta["files"]} == expected
        assert result.meta["folder"] == str(home)
        sizes = {file["path"]: file["size"] for file in result.meta["files"]}
        assert sizes["d.yaml"] == (home / "d.yaml").stat().st_size


def test_shipped_files_are_not_recorded_before_or_after_they_are_cached():
    text = "diagram: 1\nblocks: {b: {type: rail.track, track: s_curve}}\n"
    for _ in range(2):
        with pytest.raises(DiagramError, match="not connected"):
            check(loads(text))
    text = (
        "diagram: 1\nblocks: {s: {type: sources.constant}, b: {type: rail.track, track: s_curve}}"
    )
    for _ in range(2):
        assert check(loads(text + "\nwires: [s -> b.s]\n")).files == ()


# --- special files ---------------------------------------------------------------------------
def special(folder, kind):
    path = folder / "special"
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "device":
        path.symlink_to("/dev/zero")
    elif kind == "huge":
        with open(path, "wb") as file:
            file.truncate(2**41)
    elif kind == "binary":
        path.write_bytes(bytes(range(256)) * 40)
    elif kind == "empty":
        path.touch()
    elif kind == "socket":
        import socket

        holder = socket.socket(socket.AF_UNIX)
        holder.bind(str(path))
    elif kind == "circle":
        path.symlink_to(path)
    return path  # "missing" makes nothing


SPECIAL = ("fifo", "folder", "device", "huge", "binary", "empty", "socket", "circle", "missing")


def checked_with(entry):
    return lambda path: check(
        loads(f"diagram: 1\nblocks: {{b: {entry.replace('PATH', str(path))}}}\n")
    )


def linked(ending, read):
    """The reader of a file that needs an ending."""

    def reading(path):
        link = path.with_name(f"link{ending}")
        link.symlink_to(path)
        return read(link)

    return reading


READERS = {
    "diagram": load,
    "include": lambda path: loads(f"diagram: 1\ninclude: {path}\n"),
    "subsystem": lambda path: loads(f"diagram: 1\nblocks: {{b: {{subsystem: {path}}}}}\n"),
    "csv": lambda path: read_csv(path).numbers("u"),
    "from_file": checked_with("{type: sources.from_file, path: PATH, column: u}"),
    "adhesion": checked_with("{type: rail.initial_adhesion, path: PATH}"),
    "profile": checked_with("{type: rail.mdm_rig, wheel: PATH}"),
    "vehicle": linked(".yaml", checked_with("{type: rail.vehicle, v_0: 1, vehicle: PATH}")),
    "track": linked(".yaml", checked_with("{type: rail.track, track: PATH}")),
    "networks": linked(
        ".npz", checked_with("{type: rail.contact_wheel_rail, method: network, networks: PATH}")
    ),
    "results": Results.load,
    "data_h5": linked(".h5", load_data),
    "data_mat": linked(".mat", load_data),
    "data_csv": linked(".csv", load_data),
}


@pytest.mark.parametrize("kind", SPECIAL)
@pytest.mark.parametrize("reader", READERS)
def test_what_is_no_file_is_a_message_at_once(tmp_path, monkeypatch, reader, kind):
    monkeypatch.chdir(tmp_path)  # the name of a socket is short
    special(tmp_path, kind)
    with pytest.raises(DiagramError) as caught:
        READERS[reader](tmp_path / "special")
    assert "special" in str(caught.value) or "link." in str(caught.value)
    assert len(str(caught.value)) < 2000


# --- what messages do not show ---------------------------------------------------------------
SECRETS = {
    "shadow": "root:$6$SECRET:19000:0:99999:7:::\ndaemon:*:19000:0:99999:7:::\n",
    "settings": "password: SECRET\nSECRET_KEY: 1\n",
    "key": "-----BEGIN SECRET KEY-----\nSECRETSECRET\n-----END SECRET KEY-----\n",
    "ini": "[SECRET]\nSECRET = SECRET\n",
    "twice": "SECRET: 1\nSECRET: 2\n&SECRET x: !SECRET y\n",
    "words": "SECRET SECRET\nSECRET SECRET\n",
}


@pytest.mark.parametrize("content", SECRETS)
@pytest.mark.parametrize("reader", [name for name in READERS if name != "diagram"])
def test_messages_do_not_show_the_text_of_other_files(tmp_path, reader, content):
    path = tmp_path / "special"
    path.write_text(SECRETS[content])
    with pytest.raises(DiagramError) as caught:
        READERS[reader](path)
    assert "SECRET" not in str(caught.value)


# --- archives that grow ----------------------------------------------------------------------
def npy(shape, content=b""):
    header = np.lib.format.header_data_from_array_1_0(np.zeros(0))
    stream = io.BytesIO()
    np.lib.format.write_array_header_1_0(stream, header | {"shape": shape})
    return stream.getvalue() + content


BOMBS = {
    "claims": {"weights.npy": npy((10**12,))},
    "zeros": {"weights.npy": bytes(2**29)},
    "objects": {"weights.npy": None},
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_networks_that_claim_too_much_are_a_message(tmp_path, bomb):
    path = tmp_path / "bomb.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in BOMBS[bomb].items():
            if content is None:
                stream = io.BytesIO()
                np.save(stream, np.array([{}], dtype=object), allow_pickle=True)
                content = stream.getvalue()
            archive.writestr(name, content)
    with pytest.raises(DiagramError, match="is not a file of contact networks"):
        READERS["networks"](path)


# --- saving elsewhere ------------------------------------------------------------------------
def test_a_diagram_saved_elsewhere_reads_the_same_data(elsewhere):
    home, other = elsewhere / "home", elsewhere / "other"
    other.mkdir()
    constant(home / "data" / "signal.csv", 3.0)
    for name, text in {
        "plain": diagram(),
        "parameter": diagram("data", 'parameters: {data: "data/signal.csv"}\n'),
        "absolute": diagram(str(home / "data" / "signal.csv")),
    }.items():
        (home / f"{name}.yaml").write_text(text)
        save(load(home / f"{name}.yaml"), other / f"{name}.yaml")
        assert last(load(other / f"{name}.yaml")) == 3.0
        save(load(other / f"{name}.yaml"), home / "again.yaml")
        assert (home / "again.yaml").read_text() == text


@pytest.mark.parametrize("level", ["", "  s: {subsystem: {blocks: {BLOCK}}}\n"])
def test_paths_of_disabled_blocks_go_along(elsewhere, level):
    for folder in ("home", "other"):
        (elsewhere / folder).mkdir(exist_ok=True)
    block = "d: {type: sources.from_file, path: data/signal.csv, column: u, disabled: true}"
    line = level.replace("BLOCK", block) or f"  {block}\n"
    (elsewhere / "home" / "d.yaml").write_text(f"diagram: 1\nblocks:\n{line}")
    save(load(elsewhere / "home" / "d.yaml"), elsewhere / "other" / "d.yaml")
    assert "path: ../home/data/signal.csv" in (elsewhere / "other" / "d.yaml").read_text()


def test_the_editor_saves_elsewhere_with_the_same_data(elsewhere):
    pytest.importorskip("PySide6")
    from railblocks.gui.model.document import Document

    home, other = elsewhere / "home", elsewhere / "other"
    other.mkdir()
    constant(home / "data" / "signal.csv", 3.0)
    (home / "d.yaml").write_text(diagram())
    document = Document.open(str(home / "d.yaml"), standard_blocks())
    assert last(document.root) == 3.0
    document.save(str(other / "d.yaml"))
    assert last(document.root) == 3.0
    assert last(load(other / "d.yaml")) == 3.0
    document.save()
    assert last(load(other / "d.yaml")) == 3.0
