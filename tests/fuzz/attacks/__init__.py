"""All attacks, by name."""

from __future__ import annotations

from trials import Attack

from . import (
    cache_entries,
    code_in_diagrams,
    diagram_commands,
    diagram_texts,
    hostile_values,
    kills,
    measured_files,
    random_runs,
    results_files,
    special_files,
    study_files,
    two_writers,
)

MODULES = (
    *(diagram_texts, diagram_commands, hostile_values, special_files, code_in_diagrams),
    *(random_runs, results_files, study_files, measured_files, cache_entries, kills),
    two_writers,
)
ATTACKS: dict[str, Attack] = {module.ATTACK.name: module.ATTACK for module in MODULES}
