"""What is remembered about kernels: refusals of the function itself, until a retry is wanted."""

import pytest
from railblocks.engine.numba_bridge import lowering
from railblocks.engine.program import parts
from railblocks.engine.program.parts import RETRY, Part
from railblocks.engine.program.store import Store
from railblocks.engine.program.traits import Traits
from railblocks.engine.schedule.calls import Kernel


def doubled(u):
    return 2.0 * u


def tripled(u):
    return 3.0 * u


def unknown(u):
    return float(str(u).zfill(10))


def part_of(function):
    return Part.of_kernel(Kernel(function, (0,), (float,), (float,)))


def raising(error):
    def by_numba(**_):
        raise error

    return by_numba


def test_a_typing_error_is_remembered(tmp_path):
    first = part_of(unknown).traits(Store(tmp_path))
    assert first.refusal
    assert part_of(unknown).known_traits(Store(tmp_path)) == first


def test_a_missing_package_is_not_remembered(tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(lowering, "by_numba", raising(ImportError("missing at the moment")))
        traits = part_of(doubled).traits(Store(tmp_path))
    assert "missing at the moment" in traits.refusal
    assert list(tmp_path.iterdir()) == []
    assert part_of(doubled).traits(Store(tmp_path)).refusal == ""


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
def test_an_interruption_is_not_taken_for_a_refusal(tmp_path, monkeypatch, error):
    monkeypatch.setattr(lowering, "by_numba", raising(error))
    with pytest.raises(error):
        part_of(doubled).traits(Store(tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_missing_memory_while_numba_lowers_is_not_remembered(tmp_path, monkeypatch):
    from numba.core.lowering import Lower

    def lower_inst(*_):
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(Lower, "lower_inst", lower_inst)
        with pytest.raises(MemoryError):
            part_of(tripled).traits(Store(tmp_path))
    assert list(tmp_path.iterdir()) == []
    assert part_of(tripled).traits(Store(tmp_path)).refusal == ""


def test_a_refusal_whose_second_look_was_cut_short_is_not_remembered(tmp_path, monkeypatch):
    """Whether only the writing was refused is part of what is kept."""

    def lowered(function, signature, *_):
        writable = not signature.arguments[0].read_only
        raise lowering.NotCompilable("refused", lasting=not writable)

    monkeypatch.setattr(parts, "lowered", lowered)
    part = Part.of_kernel(Kernel(doubled, (1,), (float,), (float,)))
    assert part.traits(Store(tmp_path)) == Traits("refused")
    assert list(tmp_path.iterdir()) == []


def test_a_retry_compiles_anew_what_was_refused(tmp_path, monkeypatch):
    part = part_of(doubled)
    store = Store(tmp_path)
    store.keep(part.name("traits"), Traits("refused once").as_text())
    assert part.traits(Store(tmp_path)).refusal == "refused once"
    monkeypatch.setenv(RETRY, "1")
    assert part.known_traits(Store(tmp_path)) is None
    assert part.traits(Store(tmp_path)).refusal == ""
    monkeypatch.delenv(RETRY)
    assert part.traits(Store(tmp_path)).refusal == ""


def test_a_text_that_is_missing_is_lowered_though_its_traits_are_known(tmp_path):
    part = part_of(doubled)
    part.traits(Store(tmp_path))
    text = tmp_path / part.name("ll")
    text.unlink()
    assert not part.is_kept(Store(tmp_path))
    part.traits(Store(tmp_path))
    assert text.exists()
    assert part.is_kept(Store(tmp_path))


def test_a_retry_leaves_what_is_compiled_alone(tmp_path, monkeypatch):
    part_of(doubled).traits(Store(tmp_path))
    before = {path.name: path.stat().st_ino for path in tmp_path.iterdir()}
    monkeypatch.setenv(RETRY, "1")
    monkeypatch.setattr(parts, "lowered", None)  # nothing is lowered again
    part_of(doubled).traits(Store(tmp_path))
    assert {path.name: path.stat().st_ino for path in tmp_path.iterdir()} == before
