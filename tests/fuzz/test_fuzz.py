"""The short form of `make fuzz`, and that it sees what it looks for."""

import os
import time

import pytest
from attacks import ATTACKS
from trials import Attack, run_trials


@pytest.mark.parametrize("name", sorted(ATTACKS))
def test_no_escape_and_no_hang(name):
    attack = ATTACKS[name]
    tally = run_trials(attack, seed=0, count=attack.few, processes=1)
    assert tally.trials == attack.few
    assert tally.escapes == {}
    assert tally.hangs == []


def _misbehave(random, folder):
    kind = random.choice(("fine", "raise", "crash", "hang"))
    if kind == "raise":
        raise KeyError(kind)
    if kind == "crash":
        os.abort()
    if kind == "hang":
        time.sleep(60)
    return kind


def test_exceptions_crashes_and_hangs_are_seen():
    attack = Attack("misbehave", "all kinds of trouble", _misbehave, 12, 12, seconds=1.0)
    tally = run_trials(attack, seed=0, count=12)
    texts = " ".join(tally.escapes.values())
    assert tally.trials == 12
    assert "KeyError" in texts
    assert "ended with code -6" in texts
    assert tally.hangs
    assert tally.outcomes["fine"]
