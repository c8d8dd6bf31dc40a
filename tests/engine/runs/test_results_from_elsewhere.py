"""Results and data from elsewhere: whatever a file claims, the answer is a message at once."""

import struct

import h5py
import numpy as np
import pytest
from peak_memory import memory_up_to
from railblocks.engine import DiagramError, Results
from railblocks.engine.cli import run_command
from railblocks.engine.measurements.reading import load_data

HUGE = 10**12


@pytest.fixture
def path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    time = np.linspace(0.0, 1.0, 50)
    signals = {"a.y": time**2, "v": np.stack([time, time], axis=1)}
    Results.from_arrays(time, signals, {"a.y": "m"}).save("out.h5")
    (tmp_path / "secret").write_bytes(np.arange(4000.0).tobytes())
    return tmp_path / "out.h5"


def replaced(name, **options):
    """Another data set in the place of one."""

    def change(file):
        del file[name]
        file.create_dataset(name, **options)

    return change


def linked(name, link):
    def change(file):
        del file[name]
        file[name] = link

    return change


def attribute(name, value):
    return lambda file: file.attrs.__setitem__(name, value)


def virtual(file):
    del file["rows"]
    layout = h5py.VirtualLayout(shape=(50, 4), dtype="f8")
    layout[:] = h5py.VirtualSource("other.h5", "rows", shape=(50, 4))
    file.create_virtual_dataset("rows", layout)


def group_for(name):
    def change(file):
        del file[name]
        file.create_group(name)

    return change


TEXT = h5py.string_dtype()
CHANGES = {
    "text in rows": replaced("rows", data=np.array([["x"] * 4] * 50, dtype=object), dtype=TEXT),
    "integers in rows": replaced("rows", data=np.zeros((50, 4), dtype="i8")),
    "rows in one dimension": replaced("rows", data=np.zeros(200)),
    "rows in three dimensions": replaced("rows", data=np.zeros((50, 4, 1))),
    "too few columns": replaced("rows", data=np.zeros((50, 3))),
    "rows without numbers": replaced("rows", shape=(HUGE, 4), dtype="f8", chunks=(512, 4)),
    "rows without numbers, counted": lambda file: (
        replaced("rows", shape=(HUGE, 4), dtype="f8", chunks=(512, 4))(file),
        file["committed"].__setitem__((), HUGE),
    ),
    "compressed rows": replaced("rows", shape=(50, 4), dtype="f8", compression="gzip"),
    "rows elsewhere": replaced(
        "rows", shape=(50, 4), dtype="f8", external=[("secret", 0, h5py.h5f.UNLIMITED)]
    ),
    "virtual rows": virtual,
    "rows by an external link": linked("rows", h5py.ExternalLink("other.h5", "rows")),
    "rows by a soft link": linked("rows", h5py.SoftLink("/settings")),
    "rows as a group": group_for("rows"),
    "no rows": lambda file: file.__delitem__("rows"),
    "no count": lambda file: file.__delitem__("committed"),
    "a negative count": lambda file: file["committed"].__setitem__((), -1),
    "a count in text": replaced("committed", data="many"),
    "counts": replaced("committed", data=np.arange(3)),
    "no signals": lambda file: file.__delitem__("signals"),
    "signals as a data set": lambda file: (
        file.__delitem__("signals"),
        file.create_dataset("signals", data=1.0),
    ),
    "numbers for names": replaced("signals/name", data=np.arange(2.0)),
    "one name": replaced("signals/name", data=["a"], dtype=TEXT),
    "two equal names": replaced("signals/name", data=["a", "a"], dtype=TEXT),
    "very many names": replaced("signals/name", shape=(HUGE,), dtype=TEXT, chunks=(100,)),
    "an unknown type": replaced("signals/type", data=["float", "object"], dtype=TEXT),
    "a shape in words": replaced("signals/shape", data=["[]", "two"], dtype=TEXT),
    "a shape of text": replaced("signals/shape", data=["[]", '["2"]'], dtype=TEXT),
    "a negative shape": replaced("signals/shape", data=["[]", "[-2]"], dtype=TEXT),
    "a huge shape": replaced("signals/shape", data=["[]", f"[{HUGE}]"], dtype=TEXT),
    "a large product": replaced("signals/shape", data=["[]", f"{[2**31] * 8}"], dtype=TEXT),
    "a deep shape": replaced("signals/shape", data=["[]", "[" * 100_000], dtype=TEXT),
    "a shape of true": replaced("signals/shape", data=["[]", "[true, true]"], dtype=TEXT),
    "a diagram of numbers": replaced("diagram", data=np.arange(5.0)),
    "no diagram": lambda file: file.__delitem__("diagram"),
    "no settings": lambda file: file.__delitem__("settings"),
    "title of numbers": attribute("title", np.arange(5.0)),
    "title of bytes": attribute("title", np.bytes_(b"\xff\xfe")),
    "empty title": attribute("title", h5py.Empty("f8")),
    "numeric title": attribute("title", 3),
    "seed in words": attribute("seed", "abc"),
    "notices that are not JSON": attribute("notices", "{"),
    "notices that are a number": attribute("notices", "3"),
    "deep notices": attribute("notices", "[" * 60_000),
    "version in words": attribute("version", "new"),
    "no version": lambda file: file.attrs.__delitem__("version"),
    "versions of arrays": attribute("version_numpy", np.arange(3)),
    "a newer format": attribute("version", 99),
    "another format": attribute("format", "something"),
    "format of arrays": attribute("format", np.arange(3)),
    "statistics as data": lambda file: (
        file.__delitem__("statistics"),
        file.create_dataset("statistics", data=1.0),
        file["statistics"].attrs.__setitem__("steps", np.arange(3)),
    ),
    "files without sums": lambda file: file.__delitem__("files/sha256"),
    "files as a data set": lambda file: (
        file.__delitem__("files"),
        file.create_dataset("files", data=1.0),
    ),
}  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_a_results_file_that_is_something_else_is_a_message(path, change, capsys):
    with h5py.File(path, "r+") as file:
        CHANGES[change](file)
    with memory_up_to(200 * 2**20):
        with pytest.raises(DiagramError, match=r"^out\.h5: "):
            Results.load("out.h5")
        for command in (
            ["plot", "out.h5", "-o", "a.png"],
            ["export", "out.h5", "--to", "csv"],
            ["compare", "out.h5", "out.h5"],
            ["show", "out.h5"],
        ):
            assert run_command(command) == 2
            captured = capsys.readouterr()
            assert captured.err.startswith("out.h5: ")
            assert captured.err.count("\n") == 1
            assert captured.out == ""


def test_results_that_are_cut_off_are_a_message_or_the_committed_rows(path):
    whole, messages = path.read_bytes(), []
    for size in range(0, len(whole), 997):
        path.write_bytes(whole[:size])
        try:
            results = Results.load(path)
            assert len(results.time) == len(results)
        except DiagramError as error:
            messages.append(str(error))
    assert all(message.startswith(str(path)) for message in messages)


def test_flipped_bits_are_a_message_or_numbers(path):
    """Every bit of the first pages, where HDF5 keeps what describes the rest."""
    rng = np.random.default_rng(7)
    whole, messages = path.read_bytes(), []
    for place in rng.integers(0, min(len(whole), 20_000), 300):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << int(rng.integers(8))
        path.write_bytes(damaged)
        try:
            results = Results.load(path)
            for name in results.names:
                assert len(results[name]) == len(results)
        except DiagramError as error:
            messages.append(str(error))
    assert all(message.startswith(str(path)) for message in messages)


@pytest.mark.parametrize(
    "times",
    [
        [0.0, np.nan, 2.0, 3.0],
        [np.inf] * 4,
        [-np.inf, 0.0, 1.0, np.inf],
        [3.0, 2.0, 1.0, 0.0],
        [1.0] * 4,
        [0.0, 1e308, -1e308, 1.0],
        [],
        [0.0],
    ],
)
@pytest.mark.parametrize("values", ["finite", "nan", "huge"])
def test_odd_times_and_values_are_drawn_or_refused(path, capsys, times, values):
    count = len(times)
    number = {"finite": 1.0, "nan": np.nan, "huge": 1.7e308}[values]
    signals = {"a": np.full(count, number), "b": np.full(count, -number)}
    Results.from_arrays(times, signals).save("odd.h5")
    for command in (
        ["plot", "odd.h5", "-o", "a.png"],
        ["export", "odd.h5", "--to", "csv"],
        ["export", "odd.h5", "--to", "mat"],
        ["compare", "odd.h5", "odd.h5", "--plot", "c.png"],
        ["show", "odd.h5"],
    ):
        assert run_command(command) in (0, 2)
        capsys.readouterr()


# --- measured data ---------------------------------------------------------------------------
def test_data_from_elsewhere_cannot_read_other_files(path):
    for name, make in {
        "link": lambda file: file.__setitem__("u", h5py.ExternalLink("out.h5", "rows")),
        "outside": lambda file: file.create_dataset(
            "u", shape=(50,), dtype="f8", external=[("secret", 0, h5py.h5f.UNLIMITED)]
        ),
    }.items():
        with h5py.File(f"{name}.h5", "w") as file:
            file["t"] = np.arange(50.0)
            make(file)
        data = load_data(f"{name}.h5")
        assert data.names == ()
        assert "another file" in data.meta["left_out"]["u"]


@pytest.mark.parametrize("compression", [None, "gzip"])
def test_data_that_claim_too_much_are_a_message(path, compression):
    with h5py.File("big.h5", "w") as file:
        file.create_dataset(
            "t", shape=(HUGE,), dtype="f8", chunks=(2**16,), compression=compression
        )
    with pytest.raises(DiagramError, match="data take more than 1024 MiB"):
        load_data("big.h5")


def test_mat_files_that_claim_too_much_are_a_message(path):
    from scipy.io import savemat

    savemat("a.mat", {"t": np.arange(3.0), "u": np.arange(3.0)})
    mat = path.with_name("a.mat")
    content = bytearray(mat.read_bytes())
    dims = content.find(np.array([1, 3], "<i4").tobytes())
    content[dims : dims + 8] = np.array([2**30, 2**10], "<i4").tobytes()
    mat.write_bytes(content)
    with pytest.raises(DiagramError, match=r"^a\.mat: "):
        load_data("a.mat")


def test_names_with_brackets_are_found_whole():
    results = Results.from_arrays([0.0, 1.0], {"force [N]": [1.0, 2.0]})
    assert results["force [N]"].tolist() == [1.0, 2.0]


def element(kind, data):
    return struct.pack("<II", kind, len(data)) + data + bytes(-len(data) % 8)


def nested(depth):
    """A MAT file whose variable `names` is a cell in a cell in a cell."""

    def matrix(kind, sizes, name, inner):
        flags = element(6, struct.pack("<II", kind, 0)) + element(5, struct.pack("<ii", *sizes))
        return element(14, flags + element(1, name) + inner)

    inner = matrix(6, (0, 0), b"", element(9, b""))
    for level in range(depth):
        inner = matrix(1, (1, 1), b"names" if level == depth - 1 else b"", inner)
    return b"MATLAB 5.0".ljust(124) + struct.pack("<H", 0x0100) + b"IM" + inner


@pytest.mark.parametrize("depth", [1, 10, 30_000])
def test_cells_in_cells_are_left_out(path, depth):
    mat = path.with_name("a.mat")
    mat.write_bytes(nested(depth))
    with pytest.raises(DiagramError, match="there is no column 'time'"):
        load_data(mat)


def test_exported_mat_files_keep_their_names(path):
    results = Results.load(path)
    results.export("a.mat")
    again = load_data("a.mat")
    assert again.names == results.names
    assert again.unit("a.y") == "m"
    np.testing.assert_array_equal(again["v"], results["v"])
