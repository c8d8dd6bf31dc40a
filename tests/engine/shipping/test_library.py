"""Which kernels ship: all of shipped diagrams, of blocks with their choices, and of solvers."""

import pytest
from railblocks.engine import DiagramBuilder, check, standard_blocks
from railblocks.engine.program.compiler import parts_of
from railblocks.engine.program.parts import Part
from railblocks.engine.program.solver_functions import SOLVER_SIGNATURES, solver_functions
from railblocks.engine.shipping import library
from railblocks.engine.shipping.driven import add_driven, write_example_files
from railblocks.engine.solvers.methods import METHODS


def test_every_method_and_newton_are_among_them():
    symbols = {part.symbol for part in library._solver_parts()}
    for method in METHODS.values():
        for name, function in solver_functions(method).items():
            assert Part.of_solver(function, *SOLVER_SIGNATURES[name]).symbol in symbols
    assert len(symbols) > len(METHODS)


def test_diagrams_that_run_by_themselves_are_among_them():
    names = {path.stem for path in library.shipped_diagrams()}
    assert {"dc_motor", "scenario_1", "s_curve", "braking", "hunting"} <= names


def test_each_choice_is_taken_in_turn():
    choices = list(library._choices("math.trigonometry", standard_blocks()))
    assert choices[0] == {}
    assert {"function": "tanh"} in choices
    assert all(len(choice) <= 1 for choice in choices)


@pytest.mark.parametrize("block", ["math.trigonometry", "routing.mux", "logic.latch"])
def test_a_block_is_driven_by_sources_that_fit(block, tmp_path):
    write_example_files(tmp_path)
    builder = DiagramBuilder("driven")
    add_driven(builder, "b", block, tmp_path)
    checked = check(builder.build())
    kernels, _ = parts_of(checked.schedule.program, checked.settings.solver)
    assert any(
        part.function.__module__.startswith("railblocks.blocks") for part in kernels.values()
    )
