"""Running a test and judging its run: every limit and every signal of a baseline."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from ..declaration.registry import Registry
from ..diagram.reader import load
from ..errors import DiagramError, Position, RailblocksError, SimulationError
from ..measurements.reading import load_data
from ..measurements.series import Series, SignalScope
from ..measures.limit import Limit
from ..runs.results import Results
from ..runs.run import logged
from ..runs.simulation import Simulation
from ..studies.logged import checked_with_logged
from ..units.unit import UnitError
from .case import Baseline, Case, Tolerance
from .comparing import Misfit, misfit

RUNS = "runs to its end"
SLACK = 1e-9
"""Part of a run by which its end may differ from that of its baseline."""


@dataclass(frozen=True)
class Check:
    """One thing that was expected, and where: what came instead is in `message`."""

    text: str
    position: Position
    passed: bool
    value: str = ""
    message: str = ""


@dataclass(frozen=True)
class Verdict:
    """What became of a test; `results` are those of its run, if it came to its end."""

    case: Case
    checks: tuple[Check, ...]
    seconds: float
    results: Results | None = field(default=None, repr=False)

    @property
    def passed(self) -> bool:
        return all(check.passed for check in self.checks)


def judge(
    case: Case,
    registry: Registry,
    compiled: bool = True,
    progress: Callable[[Simulation], None] | None = None,
) -> Verdict:
    """Runs a test; what is wrong with its diagram or its run is a check that it fails."""
    begin = time.perf_counter()
    try:
        results = _run(case, registry, compiled, progress)
    except (DiagramError, SimulationError) as error:
        return Verdict(case, (_ended_by(case, error),), time.perf_counter() - begin)
    if case.fails:
        text = f"fails: {case.fails}"
        message = "the run came to its end; expected it to fail"
        checks = (Check(text, case.position, False, message=message),)
        return Verdict(case, checks, time.perf_counter() - begin)
    made = [_limit(limit, position, results) for position, limit in case.limits]
    if case.baseline is not None:
        made.extend(_against(case.baseline, results))
    return Verdict(case, tuple(made), time.perf_counter() - begin, results)


def _run(
    case: Case,
    registry: Registry,
    compiled: bool,
    progress: Callable[[Simulation], None] | None,
) -> Results:
    diagram = load(case.diagram).with_values(case.values)
    _, checked = checked_with_logged(diagram, registry, case.signals, "its checks")
    return logged(Simulation(checked, compiled), progress)


def _ended_by(case: Case, error: RailblocksError) -> Check:
    """The check of a run that did not come to its end."""
    if not case.fails:
        return Check(RUNS, case.position, False, message=str(error))
    passed = case.fails in str(error)
    message = "" if passed else f"the message is another one: {error}"
    return Check(f"fails: {case.fails}", case.position, passed, message=message)


def _limit(limit: Limit, position: Position, results: Results) -> Check:
    try:
        margin, left = limit.margin.of(results), limit.left.of(results)
        right = limit.right.of(results)
    except DiagramError as error:
        return Check(limit.text, position, False, message=str(error))
    shown = str(left if limit.left.signals else right)
    if limit.met(margin):
        return Check(limit.text, position, True, shown)
    reason = (
        margin.reason.removeprefix(f"{limit.left}: ")
        or f"{left} {limit.relation} {right} does not hold"
    )
    return Check(limit.text, position, False, shown, reason)


# --- baselines -----------------------------------------------------------------------------------
def _against(baseline: Baseline, results: Results) -> Iterator[Check]:
    """A check for each signal of a baseline."""
    if not os.path.exists(baseline.path):
        message = f"there is no file {baseline.path}; `railblocks test --update` writes it"
        for name in baseline.signals:
            yield Check(_named(name, baseline), baseline.position, False, message=message)
        return
    try:
        held = SignalScope(load_data(baseline.path))
    except DiagramError as error:
        text = f"baseline {baseline.path}"
        yield Check(text, baseline.position, False, message=str(error))
        return
    own = SignalScope(results)
    for name, tolerance in baseline.signals.items():
        text = _named(name, baseline)
        try:
            value, message = _compared(own.series(name), held.series(name), tolerance)
        except (DiagramError, UnitError) as error:
            value, message = "", str(error)
        yield Check(text, baseline.position, not message, value, message)


def _named(name: str, baseline: Baseline) -> str:
    return f"{name} as in {os.path.basename(baseline.path)}"


def _compared(run: Series, held: Series, tolerance: Tolerance) -> tuple[str, str]:
    """How a signal lies beside its baseline, in its own unit, and what is wrong with that."""
    ends = (run.time[0], run.time[-1]), (held.time[0], held.time[-1])
    slack = SLACK * max(1.0, abs(ends[0][1]))
    if any(abs(ours - theirs) > slack for ours, theirs in zip(*ends, strict=True)):
        (first, last), (held_first, held_last) = ends
        message = (
            f"the run is from {first:g} s to {last:g} s, the baseline from {held_first:g} s to "
            f"{held_last:g} s"
        )
        return "", message
    unit = run.unit
    absolute = float(tolerance.absolute.value if unit is None else tolerance.absolute.to(unit))
    values = Series(run.name, held.time, held.in_unit(unit), unit, run.held)
    found = misfit(run, values, absolute, tolerance.relative, tolerance.leading, tolerance.lagging)
    if found is None:
        return "inside", ""
    return f"{found.count} of {found.of} times outside", _told(found, str(unit or ""))


def _told(found: Misfit, unit: str) -> str:
    unit = "" if unit == "1" else f" {unit}".rstrip()
    return (
        f"the most at t = {found.time:.6g} s: {found.value:.6g}{unit}; expected "
        f"{found.low:.6g}{unit} to {found.high:.6g}{unit}"
    )


def update(verdict: Verdict) -> bool:
    """Writes the baseline of a test anew if its run misses it; whether it did."""
    baseline, results = verdict.case.baseline, verdict.results
    if baseline is None or results is None:
        return False
    wrong = [check for check in _against(baseline, results) if not check.passed]
    if not wrong:
        return False
    scope = SignalScope(results)
    series = {name: scope.series(name) for name in baseline.signals}
    kept = Results.from_arrays(
        results.time,
        {name: one.values for name, one in series.items()},
        {name: str(one.unit or "") for name, one in series.items()},
    )
    if baseline.path.lower().endswith(".csv"):
        kept.export(baseline.path)
    else:
        kept.save(baseline.path)
    return True
