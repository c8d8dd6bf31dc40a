"""Vishnu, Singh and Saha: a wheelset as a serial chain, by natural orthogonal complements.

The paper derives a wheelset at constant speed as a chain of four links and compares it with the
conventional equations in one figure, without numbers. Here it is the wheelset of the Manchester
wagon, exact in all angles, with linear, conical and curved profiles; numbers to compare with come
from closed forms, or from other code for the linear wheelset (named in the notes).
"""

from __future__ import annotations

import argparse

from railblocks.diagrams.runs import Tell
from railblocks.diagrams.vishnu.figures import figures
from railblocks.diagrams.vishnu.rows import rows
from railblocks.diagrams.vishnu.runs import study
from railblocks.engine.reproduction.result import Reproduction

TITLE = "A railway wheelset as a serial chain, by natural orthogonal complements"
SOURCE = (
    "S. Vishnu, S. P. Singh, S. K. Saha: Multibody model of railway wheelset using Natural "
    "Orthogonal Compliments. Department of Mechanical Engineering, Indian Institute of Technology "
    "Delhi (extended abstract)"
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds no options: the paper has no choices to make."""


def reproduce(options: argparse.Namespace, tell: Tell) -> Reproduction:
    wheelsets = study(tell)
    tell("comparing")
    return Reproduction(TITLE, SOURCE, tuple(rows(wheelsets)), figures(wheelsets))
