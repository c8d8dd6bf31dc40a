"""Reads the reference data of the rail tests."""

import csv
from pathlib import Path

import numpy as np
import yaml

FOLDER = Path(__file__).parents[2] / "references"


def data(name):
    """A YAML file."""
    return yaml.safe_load((FOLDER / name).read_text())


def rows(name):
    """The rows of a CSV file, as texts by column."""
    with open(FOLDER / name, newline="") as file:
        return list(csv.DictReader(file))


def columns(name):
    """The columns of a CSV file of numbers."""
    result = rows(name)
    return {key: np.array([float(row[key]) for row in result]) for key in result[0]}
