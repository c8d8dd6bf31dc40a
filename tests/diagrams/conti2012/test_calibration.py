"""Calibration of the rig's axle boxes: values put into a rig are found again."""

import json

import numpy as np
import pytest
from railblocks.blocks.rail.rig.axle_boxes import design
from railblocks.diagrams import conti2012
from railblocks.engine import load, simulate
from railblocks.engine.cli import main

FOLDER = conti2012.__path__[0]
SIGNALS = ("rig.T_mis[0] = {}[0]", "rig.T_mis[1] = {}[1]")


def fitted(capsys, path, name, *more):
    """Values and standard errors of k_x in N/m and of kappa."""
    pairs = [text for signal in SIGNALS for text in ("--signal", signal.format(name))]
    command = ["calibrate", f"{FOLDER}/calibration.yaml", "--measured", str(path), "--json"]
    given = ["--parameter", "k_x", "--parameter", "kappa", "--from", "0.2s"]
    assert main([*command, *given, *pairs, *more]) == 0
    told = json.loads(capsys.readouterr().out)
    k_x, kappa = told["parameters"]
    assert k_x["unit"] == "kN/m"
    numbers = [1e3 * k_x["fitted"], kappa["fitted"]]
    errors = [1e3 * (k_x["standard_error"] or 0.0), kappa["standard_error"] or 0.0]
    return np.array(numbers), np.array(errors), told


def measured(path, name, values):
    simulate(load(f"{FOLDER}/{name}.yaml"), values, output=str(path))
    return path


def test_values_of_the_plane_rig_are_found_exactly_without_noise(capsys, tmp_path):
    true = {"k_x": "430 kN/m", "kappa": 0.031}
    path = measured(tmp_path / "plane.h5", "calibration", true)
    numbers, _, told = fitted(capsys, path, "rig.T_mis")
    assert numbers == pytest.approx([430e3, 0.031], rel=1e-4)
    assert told["unexplained"] == []


@pytest.mark.parametrize(("k_px", "k_pz"), [(251128, 9760), (200000, 12000)])
def test_boxes_of_the_rig_in_three_dimensions_are_found_through_noise(capsys, tmp_path, k_px, k_pz):
    """Within 1.5 % and 10 % of closed forms that leave out preloads and rolling radii."""
    values = {"k_p": [k_px, 31072, k_pz], "std_T": "1 N"}
    path = measured(tmp_path / "rig.h5", "calibration_run", values)
    numbers, errors, _ = fitted(capsys, path, "cells.y")
    kappa = design(k_p=[k_px, 31072, k_pz])["kappa"]
    assert numbers[0] == pytest.approx(2.0 * k_px, rel=0.015)
    assert numbers[1] == pytest.approx(kappa, rel=0.10)
    assert np.all(errors > 0.0)
    assert errors[0] < 0.01 * numbers[0]
    assert errors[1] < 0.05 * numbers[1]


def test_a_table_of_numbers_will_do(capsys, tmp_path):
    results = simulate(load(f"{FOLDER}/calibration.yaml"), {"k_x": "480 kN/m", "kappa": 0.025})
    table = np.column_stack([results.time, results["rig.T_mis"]])
    table += [0.0, 1.0, 1.0] * np.random.default_rng(4).normal(size=table.shape)
    path = tmp_path / "cells.csv"
    np.savetxt(path, table, delimiter=",", header="t,front,rear", comments="")
    pairs = ("--signal", "rig.T_mis[0] = front*N", "--signal", "rig.T_mis[1] = rear*N")
    command = ["calibrate", f"{FOLDER}/calibration.yaml", "--measured", str(path), "--json"]
    given = ["--parameter", "k_x", "--parameter", "kappa", "--from", "0.2s", "--let", "N=1 N"]
    assert main([*command, *given, *pairs]) == 0
    k_x, kappa = json.loads(capsys.readouterr().out)["parameters"]
    assert abs(k_x["fitted"] - 480.0) < 3.5 * k_x["standard_error"]
    assert abs(kappa["fitted"] - 0.025) < 3.5 * kappa["standard_error"]


def test_a_rig_that_was_not_driven_is_told_of(capsys, tmp_path):
    values = {"drive.shake": "0 N*m", "drive.C": "0 N*m"}
    path = measured(tmp_path / "still.h5", "calibration_run", values)
    *_, told = fitted(capsys, path, "cells.y")
    assert told["unexplained"] == [text.format("cells.y") for text in SIGNALS]
    pairs = ("--signal", SIGNALS[0].format("cells.y"))
    assert main(["calibrate", f"{FOLDER}/calibration.yaml", "--measured", str(path), "--parameter",
                 "k_x", "--from", "0.2s", *pairs]) == 0  # fmt: skip
    assert "driven as the diagram is" in capsys.readouterr().err
