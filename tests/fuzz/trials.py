"""Trials in processes of their own, so that a hang, a crash or a flood of memory is seen.

A trial is known by attack, seed and number: the same three make the same trial again.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from random import Random
from time import monotonic
from typing import Any

from peak_memory import peak_memory, restart_peak

PROCESSES = 2
LARGEST_MEMORY = 6 * 2**30  # address space, of which the code of the libraries takes one
LARGEST_GROWTH = 2**29
START_SECONDS = 300.0


class Escape(Exception):
    """Something that must not happen: a wrong result, a lost file, a message that leaks."""


@dataclass(frozen=True)
class Attack:
    """One way to attack: `attempt(random, folder)` ends in a word to count, or in an exception.

    Every exception is an escape. `count` trials make a full run, `few` the short form; `seconds`
    is how long one may take; `prepare` is called once a process.
    """

    name: str
    what: str
    attempt: Callable[[Random, str], str]
    count: int
    few: int
    seconds: float = 10.0
    prepare: Callable[[], Any] | None = None


@dataclass
class Tally:
    """What became of the trials of one attack."""

    attack: Attack
    outcomes: Counter[str] = field(default_factory=Counter)
    escapes: dict[int, str] = field(default_factory=dict)
    hangs: list[int] = field(default_factory=list)

    @property
    def trials(self) -> int:
        return sum(self.outcomes.values()) + len(self.escapes) + len(self.hangs)

    @property
    def is_clean(self) -> bool:
        return not self.escapes and not self.hangs


def random_of(attack: Attack, seed: int, number: int) -> Random:
    return Random(f"{attack.name} {seed} {number}")


def run_trials(attack: Attack, seed: int, count: int, processes: int = PROCESSES) -> Tally:
    """All trials of one attack, shared by some processes."""
    tally = Tally(attack)
    waiting = [list(range(k, count, processes))[::-1] for k in range(processes)]
    workers = {k: _Worker(attack, seed, waiting[k]) for k in range(processes) if waiting[k]}
    while workers:
        ready = wait([worker.pipe for worker in workers.values()], timeout=0.2)
        for k, worker in list(workers.items()):
            ended = worker.pipe in ready and not worker.receive(tally)
            if ended or worker.is_late:
                worker.give_up(tally)
                workers.pop(k)
                if waiting[k]:
                    workers[k] = _Worker(attack, seed, waiting[k])
    return tally


class _Worker:
    """A process that works through trials, and how far it is."""

    def __init__(self, attack: Attack, seed: int, numbers: list[int]):
        context = multiprocessing.get_context("spawn")
        self.attack, self.numbers = attack, numbers
        self.pipe, other = context.Pipe(duplex=False)
        self._process = context.Process(
            target=_work, args=(attack, seed, list(numbers), other), daemon=False
        )
        self._process.start()
        other.close()
        self._since, self._limit, self._is_prepared = monotonic(), START_SECONDS, False

    def receive(self, tally: Tally) -> bool:
        """Takes one message; False when the process has no more to say."""
        try:
            outcome, escape = self.pipe.recv()
        except (EOFError, OSError):
            return False
        self._since, self._limit = monotonic(), self.attack.seconds
        if not self._is_prepared:
            self._is_prepared = True
            return True
        number = self.numbers.pop()
        if escape:
            tally.escapes[number] = escape
        else:
            tally.outcomes[outcome] += 1
        return True

    @property
    def is_late(self) -> bool:
        return monotonic() - self._since > self._limit

    def give_up(self, tally: Tally) -> None:
        """Ends the process; the trial under way, if there is one, hung or crashed it."""
        late = self.is_late
        if late:
            self._process.kill()
        self._process.join()
        self.pipe.close()
        if not self._is_prepared:
            raise RuntimeError(f"the attack '{self.attack.name}' cannot be prepared")
        if self.numbers:
            number = self.numbers.pop()
            if late:
                tally.hangs.append(number)
            else:
                tally.escapes[number] = f"the process ended with code {self._process.exitcode}"


def _work(attack: Attack, seed: int, numbers: list[int], pipe: Connection) -> None:
    """The process: carries out trials and says how each ended."""
    _limit_memory()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        if attack.prepare is not None:
            attack.prepare()
        pipe.send(("started", ""))
        for number in reversed(numbers):
            pipe.send(attempt(attack, seed, number, folder))
    pipe.close()


def attempt(attack: Attack, seed: int, number: int, folder: str) -> tuple[str, str]:
    """Outcome and, if something escaped, what."""
    before = restart_peak()
    try:
        outcome = attack.attempt(random_of(attack, seed, number), folder)
        if (taken := peak_memory() - before) > LARGEST_GROWTH:
            raise Escape(f"{taken >> 20} MiB of memory were taken")
        return outcome, ""
    except Escape as escape:
        return "escaped", str(escape)
    except BaseException:
        return "escaped", traceback.format_exc(limit=-6)


def _limit_memory() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (LARGEST_MEMORY, LARGEST_MEMORY))


def repeat(attack: Attack, seed: int, number: int) -> Any:
    """One trial here and now, with its traceback; for a debugger."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        if attack.prepare is not None:
            attack.prepare()
        return attack.attempt(random_of(attack, seed, number), folder)
