"""Recordings that grow, are cut and are thinned out."""

import threading

import numpy as np
from railblocks.engine.model.signals import LoggedSignal
from railblocks.gui.recording.recording import Recording


def test_a_recording_can_be_cut():
    recording = Recording([LoggedSignal("a", "")])
    recording.append(np.column_stack([np.arange(5000.0), np.arange(5000.0)]))
    recording.envelopes(["a"], -np.inf, np.inf, 10)
    recording.cut(100.0)
    assert len(recording) == 101
    _, y = recording.envelopes(["a"], -np.inf, np.inf, 10)["a"]
    assert y.max() == 100


def test_time_and_values_fit_together_while_rows_are_written():
    recording = Recording([LoggedSignal("a", "")], max_numbers=20_000)
    writing = threading.Event()

    def write():
        writing.set()
        for start in range(0, 400_000, 100):
            time = np.arange(start, start + 100, dtype=float)
            recording.append(np.column_stack([time, 2 * time]))

    thread = threading.Thread(target=write)
    thread.start()
    writing.wait()
    while thread.is_alive():
        time, values = recording.over_time("a")
        assert len(time) == len(values)
        recording.value_at("a", 50.0)
        envelopes = recording.envelopes(["a"], -np.inf, np.inf, 20)
        assert envelopes is None or len(envelopes["a"][0]) == len(envelopes["a"][1])
    np.testing.assert_array_equal(recording.values("a"), 2 * recording.time)


def test_a_run_without_end_is_thinned_out():
    recording = Recording([LoggedSignal("a", "")], max_numbers=4000)
    for start in range(0, 50_000, 700):
        time = np.arange(start, start + 700, dtype=float)
        recording.append(np.column_stack([time, 2 * time]))
    assert len(recording) * 2 <= 4000
    steps = np.diff(recording.time)
    assert set(steps) == {float(recording.stride)}
    np.testing.assert_array_equal(recording.values("a"), 2 * recording.time)


def test_elements_of_vectors_are_tracks_of_their_own():
    recording = Recording([LoggedSignal("a.y", "m"), LoggedSignal("b.v", "s", (2,))], "run 1")
    recording.append(np.array([[0.0, 1.0, 2.0, 3.0], [1.0, 4.0, 5.0, 6.0]]))
    assert list(recording.tracks) == ["a.y", "b.v[0]", "b.v[1]"]
    assert recording.parts("b.v") == ["b.v[0]", "b.v[1]"]
    assert recording.values("b.v[1]").tolist() == [3.0, 6.0]
    assert recording.label("b.v", "b.v[1]") == "b.v[1] [s]"
    assert (recording.unit("a.y"), recording.unit("b.v")) == ("m", "s")
