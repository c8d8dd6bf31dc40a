"""`railblocks compare` and `calibrate`: runs beside measurements."""

import numpy as np
import pytest
from railblocks.engine import Results
from railblocks.engine.measurements.misfit import Misfit

SPRING = """\
diagram: 1
title: Mass on a spring
parameters:
  c: 300 N/m    # guessed
  d: 1 N*s/m    # guessed too
blocks:
  body:   {type: mechanics.mass, m: 2 kg, x_0: 10 mm}
  spring: {type: mechanics.spring_damper, c: c, d: d}
  force:  {type: math.gain, k: -1}
wires:
  - body.x -> spring.x
  - body.v -> spring.v
  - spring -> force -> body.F
solver: {stop: 2 s}
log: {signals: [body.x, body.v], every: 5 ms}
"""
C, D, NOISE = 450.0, 3.0, 0.2  # N/m, N s/m, mm


@pytest.fixture
def spring(folder):
    """spring.yaml and spring.csv: the damped oscillation in closed form, with noise."""
    (folder / "spring.yaml").write_text(SPRING)
    t, a = np.arange(0, 2.001, 0.01), D / 4.0
    w = np.sqrt(C / 2.0 - a * a)
    x = 10.0 * np.exp(-a * t) * (np.cos(w * t) + a / w * np.sin(w * t))
    x += NOISE * np.random.default_rng(1).normal(size=len(t))
    table = np.column_stack([t, x])
    np.savetxt("spring.csv", table, "%.6g", ",", header="time [s],x [mm]", comments="")
    return folder


@pytest.fixture
def pair(folder):
    """run.h5 and measured.csv with v, 1 m/s apart, and slide = 0.5 m/s."""
    time = np.linspace(0, 4, 9)
    signals = {"car.v": 10 + time, "axle.omega": 2 * (10 + time) - 1}
    Results.from_arrays(time, signals, {"car.v": "m/s", "axle.omega": "rad/s"}).save("run.h5")
    (folder / "measured.csv").write_text(
        "t [ms],car.v [km/h],slide [m/s],mode\n1000,36,0.25,on\n3000,43.2,0.25,off\n"
    )
    return folder


# --- compare -----------------------------------------------------------------------------------
def test_signals_of_one_name_are_compared(pair, call):
    done = call("compare", "run.h5", "measured.csv")
    assert done.code == 0
    assert done.out.splitlines()[0].strip() == "run.h5 - measured.csv, 1 s to 3 s"
    cells = done.out.splitlines()[2].split()
    assert float(cells[1]) == pytest.approx(0.0, abs=1e-14)
    assert cells[:1] + cells[2:] == ["1", "1", "1", "1", "s", "car.v", "[m/s]"]


def test_derived_signals_are_compared_as_json_and_drawn(pair, call):
    signal = ("--signal", "car.v - r*axle.omega = slide", "--let", "r=500 mm", "--from", "2 s")
    done = call("compare", "run.h5", "measured.csv", *signal, "--json", "--plot", "a.png")
    (result,) = done.data()["signals"]
    assert (done.data()["from"], done.data()["to"]) == (2.0, 3.0)
    assert (result["run"], result["measured"]) == ("car.v - r*axle.omega", "slide")
    assert result["unit"] == "m/s"
    assert result["mean"] == pytest.approx(0.25)
    assert result["deviation"] == pytest.approx(0.0, abs=1e-12)
    assert (pair / "a.png").read_bytes().startswith(b"\x89PNG")


def test_files_that_cannot_be_compared_are_told(pair, call):
    for run, measured, message in (
        ("none.h5", "measured.csv", "none.h5: there is no such file"),
        ("run.h5", "none.csv", "none.csv: there is no such file"),
        ("run.h5", "mass.yaml", "mass.yaml: .yaml is not known; expected .csv"),
    ):
        done = call("compare", run, measured)
        assert done.code == 2
        assert done.err.startswith(message)
        assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--signal", "car.v=speed"], "measured.csv: there is no signal 'speed'"),
        (["--signal", "car.v=mode"], "measured.csv:2: 'mode' has 'on'"),
        (["--from", "2 kg"], "--from: "),
        (["--from", "0", "--to", "2s"], "the data do not cover all times from 0 s to 2 s"),
        (["--let", "r"], "--let: 'r' is not an assignment"),
        (["--let", "r=x"], "'x' is not known"),
        (["--plot", "a.doc"], "a.doc: '.doc' is not a figure format"),
    ],
)
def test_what_cannot_be_compared_is_told(pair, call, arguments, message):
    done = call("compare", "run.h5", "measured.csv", *arguments)
    assert done.code == 2
    assert message in done.err
    assert done.err.count("\n") == 1


# --- calibrate ---------------------------------------------------------------------------------
FIT = ("calibrate", "spring.yaml", "--measured", "spring.csv", "--signal", "body.x=x")


def test_stiffness_and_damping_are_recovered_and_written(spring, call):
    arguments = ("--parameter", "c", "--parameter", "d", "-o", "fitted.yaml")
    done = call(*FIT, *arguments, "--json")
    assert done.code == 0
    c, d = done.data()["parameters"]
    assert abs(c["fitted"] - C) < 3 * c["standard_error"] < 0.01 * C
    assert abs(d["fitted"] - D) < 3 * d["standard_error"] < 0.05 * D
    after = done.data()["after"][0]["rms"]
    assert after < 1e-3 * NOISE < done.data()["before"][0]["rms"]
    expected = SPRING.replace("300 N/m", f"{c['fitted']:.9g} N/m")
    expected = expected.replace("1 N*s/m", f"{d['fitted']:.9g} N*s/m")
    assert (spring / "fitted.yaml").read_text() == expected


def test_a_value_of_a_block_is_fitted_while_others_are_set(spring, call):
    values = ("--set", f"c={C} N/m", "--set", f"d={D} N*s/m")
    done = call(
        *FIT, *values, "--parameter", "body.m=5:1..9", "--method", "bounded", "-o", "f.yaml"
    )
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0].startswith("spring.yaml: done, ")
    name, start, fitted, unit, error = lines[2].split()
    assert (name, start, unit) == ("body.m", "5", "kg")
    assert float(fitted) == pytest.approx(2.0, abs=3 * float(error))
    assert [line.split()[0] for line in lines[4:]] == ["before", "after"]
    before, after = SPRING.split("m: 2 kg")
    written = (spring / "f.yaml").read_text().removeprefix(before + "m: ").removesuffix(after)
    assert float(written.removesuffix(" kg")) == pytest.approx(float(fitted), rel=1e-5)


def test_ctrl_c_tells_the_best_so_far(spring, call, monkeypatch):
    run = Misfit.run

    def interrupted(self, z):
        if self.runs == 10:
            raise KeyboardInterrupt
        return run(self, z)

    monkeypatch.setattr(Misfit, "run", interrupted)
    done = call(
        *FIT, "--parameter", "c", "-o", "f.yaml", "--interpret", "--set", "solver.rtol=1e-3"
    )
    assert done.code == 130
    assert "spring.yaml: interrupted, 10 runs" in done.out
    assert "not computed" in done.out
    assert "interrupted; the best so far is above" in done.err
    assert not (spring / "f.yaml").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["e"], "--parameter e: "),
        (["c:0..1"], "the start 300 is not between 0 and 1"),
        (["c", "--log", "d"], "--log: 'd' is not one of the parameters to fit"),
        (["c", "--method", "bounded"], "--method bounded needs bounds of c"),
        (["c:1..999", "--parameter", "d:0..9", "--method", "bounded"], "one parameter, not 2"),
        (["c", "--signal", "body.y=x"], "no signal 'body.y'; did you mean 'body.x'?"),
        (["c", "--signal", "body.v=x"], "'x' is a length (mm); expected a speed (m/s)"),
        (["c", "--from", "3s", "--to", "4s"], "the data do not cover all times"),
        (["c", "-o", "spring.yaml"], "spring.yaml: is the file that is read"),
        (["c", "-o", "spring.csv"], "spring.csv: has the ending of another kind of file"),
        (["c", "--parameter", "c=1"], "--parameter: a parameter is named twice"),
        (["c", "--set", "k=1"], "'k' is not a parameter"),
    ],
)
def test_what_cannot_be_fitted_is_told(spring, call, arguments, message):
    done = call(*FIT, "--interpret", "--parameter", *arguments)
    assert done.code == 2
    assert message in done.err
    assert done.err.count("\n") == 1


def test_a_start_that_fails_is_a_failed_run(spring, call):
    text = SPRING.replace("k: -1", "k: -1e9").replace("stop: 2 s", "stop: 2 s, max_step: 1 ms")
    (spring / "spring.yaml").write_text(text.replace("c: c", "c: -c"))
    done = call(*FIT, "--parameter", "c=-1e300", "--interpret")
    assert done.code == 1
    assert done.err.startswith("t = ")


def test_the_recovery_of_adhesion_is_recovered(folder, call):
    """tau of Meacci et al. (2020) from speed and sliding of a braked wheel, over two decades."""
    (folder / "braking.yaml").write_text(BRAKING)
    assert call("run", "braking.yaml", "--set", "tau=3e-9 m^2/W", "--quiet").code == 0
    truth = Results.load("braking.h5")
    noise = np.random.default_rng(1).normal(0.0, 0.05, (2, len(truth)))
    v = truth["coach.v"] + noise[0]
    slide = truth["coach.v"] - 0.445 * truth["wheel.omega"] + noise[1]
    table = np.column_stack([truth.time, 3.6 * v, slide])
    np.savetxt("m.csv", table, "%.6g", ";", header="t;v [km/h];slide [m/s]", comments="")
    signals = ("--signal", "coach.v = v", "--signal", "coach.v - r*wheel.omega = slide")
    fit = ("--let", "r=445mm", "--parameter", "tau=2e-8:1e-10..1e-7", "--log", "tau")
    done = call("calibrate", "braking.yaml", "--measured", "m.csv", *signals, *fit, "--json")
    (tau,) = done.data()["parameters"]
    assert tau["fitted"] == pytest.approx(3e-9, rel=0.005)
    assert abs(tau["fitted"] - 3e-9) < 3 * tau["standard_error"]


BRAKING = """\
diagram: 1
parameters: {r: 445 mm, tau: 1e-9 m^2/W}
blocks:
  brake:   {type: sources.pulse, amplitude: 9 kN*m, period: 10 s, width: 0.06, delay: 0.2 s}
  coach:   {type: mechanics.mass, m: 5500 kg, v_0: 32.5 m/s}
  wheel:   {type: mechanics.inertia, J: 75 kg*m^2, omega_0: 73.0337 rad/s}
  rolling: {type: math.gain, k: r}
  slide:   {type: math.sum, signs: +-}
  creep:   {type: math.divide}
  a:       {type: sources.constant, value: 6 mm}
  load:    {type: sources.constant, value: 54 kN}
  contact: {type: rail.local_adhesion, tau: tau, tau_x: 0, n_x: 9, n_y: 9}
  lever:   {type: math.gain, k: r}
  torque:  {type: math.sum, signs: --}
wires:
  - coach.v -> slide.u1, creep.u2, contact.V
  - wheel.omega -> rolling -> slide.u2
  - slide -> creep.u1
  - creep -> contact.xi
  - a -> contact.a, contact.b
  - load -> contact.N
  - contact.T_x -> coach.F, lever
  - lever -> torque.u1
  - brake -> torque.u2
  - torque -> wheel.tau
solver: {stop: 1.5 s}
log: {signals: [coach.v, wheel.omega], every: 10 ms}
"""
