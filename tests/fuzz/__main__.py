"""`make fuzz`: attacks with seeded damage; zero escapes, zero hangs, zero wrong results.

The table of counts goes to the screen and, with `--write`, into the page on reliability.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from time import perf_counter

TESTS = Path(__file__).parents[1]
os.environ["RAILBLOCKS_DEBUG"] = "1"  # exceptions go through
sys.path[:0] = [str(TESTS / name) for name in (".", "fuzz", "engine", "blocks")]

from attacks import ATTACKS  # noqa: E402
from trials import Tally, repeat, run_trials  # noqa: E402

BEGIN, END = "<!-- counts of make fuzz -->", "<!-- end of counts -->"


def main() -> int:
    options = _options()
    chosen = [ATTACKS[name] for name in options.only or ATTACKS]
    if options.trial is not None:
        print(repeat(chosen[0], options.seed, options.trial))
        return 0
    tallies = []
    for attack in chosen:
        begin = perf_counter()
        count = max(1, round(attack.count * options.scale))
        tally = run_trials(attack, options.seed, count)
        tallies.append(tally)
        print(_row(tally), f"{perf_counter() - begin:.0f} s", flush=True)
        for number, text in [*tally.escapes.items(), *((n, "hang") for n in tally.hangs)]:
            print(f"--- {attack.name}, trial {number} of seed {options.seed}\n{text}\n")
    if options.write:
        _write(Path(options.write), tallies, options.seed)
    return 0 if all(tally.is_clean for tally in tallies) else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scale", type=float, default=1.0, help="times the number of trials")
    parser.add_argument("--only", action="append", choices=list(ATTACKS))
    parser.add_argument("--trial", type=int, help="one trial again, here, with its traceback")
    parser.add_argument("--write", help="a page to write the table into")
    return parser.parse_args()


def _row(tally: Tally) -> str:
    outcomes = ", ".join(f"{count} {word}" for word, count in sorted(tally.outcomes.items()))
    return (
        f"| {tally.attack.what} | {tally.trials} | {outcomes} | {len(tally.escapes)} | "
        f"{len(tally.hangs)} |"
    )


def _write(page: Path, tallies: list[Tally], seed: int) -> None:
    lines = [BEGIN, "", f"Seed {seed}:", "", "| attack | trials | outcomes | escapes | hangs |"]
    lines += ["| --- | --- | --- | --- | --- |", *map(_row, tallies), ""]
    before, _, rest = page.read_text("utf-8").partition(BEGIN)
    page.write_text(before + "\n".join(lines) + "\n" + END + rest.partition(END)[2], "utf-8")


if __name__ == "__main__":
    sys.exit(main())
