"""Lines that both programs run on: one for each term, and files of them."""

from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
WAGON, COACH = HERE / "wagon.yaml", HERE / "coach.yaml"
RHO, CONE = 0.2722, 0.15
"""Radius of the rails' heads and slope of the wheels: b/a of patches is 0.7, a row of the table."""
ROLLER_RHO = 0.2 * 0.1345
"""Radius of the rollers' heads, on the scaled rig."""
MIDDLE = 200.0
"""Where on these lines vehicles are compared."""


def _waves(start=0.0, **given):
    """Irregularities by amplitude, wavelength and phase, in rows of 0.25 m; they grow over 10 m."""
    at = np.arange(0.0, 500.1, 0.25)
    rows = {"at": at}
    grown = np.sin(0.5 * np.pi * np.clip((at - start) / 10.0, 0.0, 1.0)) ** 2
    for kind, (size, length, phase) in given.items():
        rows[kind] = size * grown * np.sin(2.0 * np.pi * at / length + phase)
    lists = (f"  {kind}: [{', '.join(f'{v:.10g}' for v in row)}]" for kind, row in rows.items())
    return "irregularities:\n" + "\n".join(lists) + "\n"


def _between(last, shape="true", length=100):
    """A transition from level straight track, with its middle under the vehicle at 200 m."""
    start = 200 - length // 2
    ramp = f"length: {length}, transition: {shape}"
    return [f"length: {start}", ramp, f"length: {start + 50}, {last}"]


LINES = {
    "level": (["length: 500"], ""),
    "gradient": (["length: 500, gradient: 0.02"], ""),
    "cant": (["length: 500, cant: 0.1"], ""),
    "curve": (["length: 500, radius: 300, turn: left"], ""),
    "canted curve": (["length: 500, radius: 300, turn: right, cant: 0.1"], ""),
    "spiral": (["length: 500, radius: 300, turn: left, cant: 0.1, gradient: 0.02"], ""),
    "clothoid": (_between("radius: 300, turn: left"), ""),
    "ramp of cant": (_between("cant: 0.1"), ""),
    "crest": (_between("gradient: 0.02"), ""),
    "bloss": (_between("radius: 300, turn: left, cant: 0.03, gradient: 0.01", "bloss", 130), ""),
    "hermite": (_between("radius: 300, turn: left, cant: 0.03", "hermite_5", 140), ""),
    "lateral": (["length: 500"], _waves(lateral=(4e-4, 20.0, 0.0))),
    "vertical": (["length: 500"], _waves(vertical=(4e-4, 20.0, 0.3))),
    "cross level": (["length: 500"], _waves(cross_level=(4e-4, 20.0, 0.6))),
    "gauge": (["length: 500"], _waves(gauge=(4e-4, 20.0, 0.9))),
    "all": (
        _between("radius: 300, turn: left, cant: 0.1, gradient: 0.01"),
        _waves(
            lateral=(3e-4, 18.0, 0.1), vertical=(3e-4, 11.0, 0.2),
            cross_level=(3e-4, 13.0, 0.3), gauge=(2e-4, 16.0, 0.4),
        ),
    ),
    "irregular run": (
        ["length: 500"],
        _waves(
            start=32.0, lateral=(0.003, 23.0, 0.1), vertical=(0.004, 13.0, 0.2),
            cross_level=(0.003, 17.0, 0.3), gauge=(0.002, 19.0, 0.4),
        ),
    ),
    "curved run": (
        [
            "length: 32", "length: 60, transition: true",
            "length: 300, radius: 300, turn: left, cant: 0.1, gradient: 0.01",
        ],
        "",
    ),
}  # fmt: skip
"""Segments as in a file, and irregularities.

Where accelerations are compared, irregularities are small: a wheel's contact is so stiff that even
the squares of slopes, in which rails that are turned about their tops or about their heads' centres
differ, would give 200 N at slopes of 1 mm/m.
"""
TERMS = [name for name in LINES if "run" not in name]
"""Lines on which accelerations are compared, in the middle."""


def line_file(folder, name, incline=CONE):
    """Path of a line's file, written beside the file of its rails' head."""
    segments, more = LINES[name]
    head = Path(folder) / "head.csv"
    head.write_text((HERE / "head.csv").read_text(encoding="utf-8"), encoding="utf-8")
    rows = "".join(f"  - {{{segment}}}\n" for segment in segments)
    path = Path(folder) / f"{name.replace(' ', '_')}.yaml"
    text = f"track: 1\nrail: head.csv\ninclination: {incline}\nsegments:\n{rows}{more}"
    path.write_text(text, encoding="utf-8")
    return str(path)
