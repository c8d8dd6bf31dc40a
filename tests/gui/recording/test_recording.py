"""Recordings that grow, are cut and are thinned out."""

import threading

import numpy as np
from railblocks.gui.recording.recording import Recording, Track


def test_a_recording_can_be_cut():
    recording = Recording([Track("a", "", 1)])
    recording.append(np.column_stack([np.arange(5000.0), np.arange(5000.0)]))
    recording.envelopes(["a"], -np.inf, np.inf, 10)
    recording.cut(100.0)
    assert len(recording) == 101
    _, y = recording.envelopes(["a"], -np.inf, np.inf, 10)["a"]
    assert y.max() == 100


def test_time_and_values_fit_together_while_rows_are_written():
    recording = Recording([Track("a", "", 1)], max_numbers=20_000)
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
        found = recording.envelopes(["a"], -np.inf, np.inf, 20)
        assert found is None or len(found["a"][0]) == len(found["a"][1])
    np.testing.assert_array_equal(recording.values("a"), 2 * recording.time)


def test_a_run_without_end_is_thinned_out():
    recording = Recording([Track("a", "", 1)], max_numbers=4000)
    for start in range(0, 50_000, 700):
        time = np.arange(start, start + 700, dtype=float)
        recording.append(np.column_stack([time, 2 * time]))
    assert len(recording) * 2 <= 4000
    steps = np.diff(recording.time)
    assert set(steps) == {float(recording.stride)}
    np.testing.assert_array_equal(recording.values("a"), 2 * recording.time)
