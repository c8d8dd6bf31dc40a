"""The second process that compiles: its share arrives, and it imports nothing from the folder."""

from railblocks.engine.program.ahead import SHARE, Ahead
from railblocks.engine.program.kernels import solver_symbol
from railblocks.engine.program.solver_parts import SOLVER_SIGNATURES, solver_parts
from railblocks.engine.program.store import Store
from railblocks.engine.solvers.methods import METHODS


def test_the_other_process_leaves_its_share_in_the_store(tmp_path, monkeypatch):
    (tmp_path / "numba.py").write_text(
        "from pathlib import Path\nPath(__file__).with_name('ran').write_text('from the folder')\n"
    )
    monkeypatch.chdir(tmp_path)
    store = Store(tmp_path / "cache")
    Ahead("euler", store).wait()
    parts = solver_parts(METHODS["euler"])
    for name in SHARE:
        text = store.find(f"{solver_symbol(parts[name], *SOLVER_SIGNATURES[name])}.ll")
        assert text is not None
        assert b"define" in text
    assert not (tmp_path / "ran").exists()


def test_a_process_that_cannot_be_started_is_no_obstacle(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.executable", str(tmp_path / "no_python"))
    Ahead("euler", Store(tmp_path)).wait()
    assert list(tmp_path.iterdir()) == []
