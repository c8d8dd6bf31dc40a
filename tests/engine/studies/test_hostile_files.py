"""Study files that are damaged, or made to mislead: one message, and never more."""

import random

import h5py
import numpy as np
import pytest
from railblocks.engine import DiagramError, Study, loads, simulate_many

LAG = loads("""\
diagram: 1
blocks: {u: {type: sources.constant, value: 1}, lag: {type: continuous.first_order_lag, T: 1 s}}
wires: [u -> lag]
solver: {stop: 1 s}
log: {signals: [lag.y], every: 0.1 s}
""")


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    path = tmp_path_factory.mktemp("study") / "study.h5"
    simulate_many(
        LAG, {"lag.T": [1, 2, 3], "solver.method": "ode45, rk4", "solver.step": [0.1]},
        ["end = final(lag.y)"], keep_signals=["lag.y"], output=path,
    )  # fmt: skip
    return path.read_bytes()


def look(path):
    """All that can be looked at."""
    study = Study.load(path)
    for name in (*study.names, "outcome", "reason", "steps"):
        study[name]
    for run in range(len(study)):
        study.values(run)
        study.cells(run)
        study.run(run)["lag.y"]
    return study


def test_the_original_can_be_looked_at(original, tmp_path):
    path = tmp_path / "a.h5"
    path.write_bytes(original)
    assert look(path).counts == {"refused": 3, "done": 3}


@pytest.mark.parametrize("seed", range(60))
def test_damaged_bytes_are_told_or_harmless(original, tmp_path, seed):
    chance, data = random.Random(seed), bytearray(original)
    for _ in range(chance.choice((1, 4, 40))):
        data[chance.randrange(len(data))] = chance.randrange(256)
    if seed % 5 == 0:
        data = data[: chance.randrange(len(data))]
    path = tmp_path / "a.h5"
    path.write_bytes(data)
    message = ""
    try:
        look(path)
    except DiagramError as error:
        message = str(error)
    assert message == "" or (message.startswith(str(path)) and "\n" not in message)


def edit_words(file):
    del file["plan/words"]
    file["plan/words"] = ['["a"]', "[1]", "{}"]


def edit_values(file):
    file["plan/values"][0, 1] = 7.0


def edit_nan(file):
    file["plan/values"][0, 0] = np.nan


def edit_rows(file):
    file["runs/rows"][0] = 10**12


def edit_first(file):
    file["runs/first"][0] = -5


def edit_outcome(file):
    file["runs/outcome"][0] = 77


def edit_identity(file):
    file.attrs["identity"] = "[1, 2]"


def edit_sampling(file):
    file.attrs["sampling"] = "not json"


def edit_elsewhere(file):
    del file["runs/values"]
    file["runs/values"] = h5py.ExternalLink("/etc/passwd", "/x")


def edit_huge(file):
    del file["runs/reason"]
    file.create_dataset("runs/reason", shape=(10**9,), dtype="S400", chunks=(1000,))


def edit_version(file):
    file.attrs["version"] = 99


def edit_missing(file):
    del file["summaries"]


def edit_lengths(file):
    del file["runs/time"]
    file["runs/time"] = np.zeros(2)


@pytest.mark.parametrize(
    "edit",
    [
        *(edit_words, edit_values, edit_nan, edit_rows, edit_first, edit_outcome, edit_identity),
        *(edit_sampling, edit_elsewhere, edit_huge, edit_version, edit_missing, edit_lengths),
    ],
)
def test_a_claim_that_does_not_hold_is_told(original, tmp_path, edit):
    path = tmp_path / "a.h5"
    path.write_bytes(original)
    with h5py.File(path, "r+") as file:
        edit(file)
    with pytest.raises(DiagramError, match=r"damaged|newer railblocks"):
        Study.load(path)


@pytest.mark.parametrize("content", [b"", b"\x89HDF\r\n\x1a\n", b"text", b"\0" * 100])
def test_what_is_no_study_is_told(tmp_path, content):
    path = tmp_path / "a.h5"
    path.write_bytes(content)
    with pytest.raises(DiagramError, match=r"a\.h5"):
        Study.load(path)
    if content:
        with pytest.raises(DiagramError, match="the file exists and is not a study"):
            simulate_many(LAG, {"lag.T": [1]}, output=path)
        assert path.read_bytes() == content
