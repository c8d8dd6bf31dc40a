"""What is public: the names stay, say what they are, and are the same from both packages."""

import ast
import inspect
import subprocess
import sys

import pytest
import railblocks as rb
from railblocks import engine

NAMES = {
    "diagrams": "Diagram DiagramBuilder DiagramError check Checked load loads save",
    "runs": "Rates Results Simulation SimulationError resume simulate",
    "studies": "Sampling Study simulate_many",
    "measures": "parse_limits parse_measure",
    "operating points": "OperatingPoint load_point save_point trim",
    "linear models": "LinearModel linearise margins respond",
    "measured data": "compare load_data read_pair",
    "blocks": "Block Registry compiled file_bytes file_text standard_blocks",
    "declarations": "EACH Derived Discrete In Modes Out Param Record Sample State",
    "equations": "der derive guard modes notice out picture reset response update validate",
}
"""What programs and blocks of users rely on. A name that goes from here breaks them."""
KNOWN = {name for names in NAMES.values() for name in names.split()}
FUNCTIONS = sorted(name for name in KNOWN if inspect.isfunction(getattr(rb, name)))


def test_no_public_name_vanishes():
    assert set(rb.__all__) >= KNOWN


def test_no_name_becomes_public_by_accident():
    assert set(rb.__all__) == KNOWN


@pytest.mark.parametrize("name", sorted(KNOWN))
def test_a_public_name_is_one_thing_and_says_what_it_is(name):
    thing = getattr(rb, name)
    assert thing is getattr(engine, name)
    assert name in dir(rb)
    if not isinstance(thing, str):
        assert (inspect.getdoc(thing) or "").strip()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_public_function_has_types(name):
    function = getattr(rb, name)
    parameters = inspect.signature(function).parameters
    annotated = function.__annotations__
    assert "return" in annotated
    assert {p for p in parameters if p not in annotated} == set()


def test_types_are_listed_for_type_checkers():
    tree = ast.parse(inspect.getsource(engine))
    checked = next(node for node in tree.body if isinstance(node, ast.If))
    imported = [node for node in checked.body if isinstance(node, ast.ImportFrom)]
    homes = {alias.name: node.module for node in imported for alias in node.names}
    assert homes == engine._HOME_OF


def test_unknown_names_are_refused():
    with pytest.raises(AttributeError, match="has no attribute 'lode'"):
        _ = rb.lode


def test_importing_the_package_imports_little():
    code = "import railblocks, sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules = done.stdout.split()
    assert not {"numpy", "networkx", "yaml", "numba"} & set(modules)
