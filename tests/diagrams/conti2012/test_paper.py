"""The command for the roller rig: its options, its figures, the runs that it keeps."""

import pytest
from paper_tables import options_of, reproduced
from railblocks.diagrams.conti2012.paper import reproduce
from railblocks.diagrams.conti2012.runs import OBSERVED, SCENARIOS
from railblocks.diagrams.runs import silent
from railblocks.engine import DiagramError


def options(*texts):
    return options_of("conti2012", *texts)


def test_figures_have_the_papers_numbers():
    figures = reproduced("conti2012", "--fast").result.figures
    numbers = {f.name.split("_")[1] for f in figures if f.name.startswith("figure")}
    assert numbers == {str(n) for n in (10, 12, 13, 14, *range(16, 25))}  # 15 is not in the plane


@pytest.mark.slow
def test_in_three_dimensions_there_is_the_lateral_motion_too():
    figures = reproduced("conti2012").result.figures
    numbers = {f.name.split("_")[1] for f in figures if f.name.startswith("figure")}
    assert numbers == {str(n) for n in (10, *range(12, 17), *range(17, 25))}


def test_runs_that_end_before_the_steady_state_are_refused():
    with pytest.raises(DiagramError, match="expected 4 s or more"):
        reproduce(options("--fast", "--stop", "3s"), silent)


def test_runs_are_kept(tmp_path):
    folder = tmp_path / "runs"
    reproduce(options("--fast", "--stop", "4.5s", "--keep", str(folder)), silent)
    names = {path.name for path in folder.iterdir()}
    assert names == {f"fast_{name}.h5" for name in (*SCENARIOS, OBSERVED)}


def test_a_file_is_not_a_folder_for_runs_and_other_readings_keep_none(tmp_path):
    file = tmp_path / "runs"
    file.touch()
    with pytest.raises(DiagramError, match="is a file; expected a folder"):
        reproduce(options("--fast", "--keep", str(file)), silent)
    with pytest.raises(DiagramError, match="no meaning with --sensitivity"):
        reproduce(options("--fast", "--sensitivity", "--keep", "runs"), silent)
