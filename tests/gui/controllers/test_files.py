"""Opening and saving: byte for byte, also of every diagram that ships with the project."""

import os
import shutil
from pathlib import Path

import pytest
from hand import crossed
from PySide6.QtCore import QPointF
from railblocks.engine import load
from railblocks.engine.declaration.registry import standard_blocks
from railblocks.gui.controllers.dialogs import Button
from railblocks.gui.files.settings import Settings
from railblocks.gui.model.document import Document
from railblocks.gui.window.window import EditorWindow

DIAGRAMS = Path(__file__).parents[3] / "diagrams"
SHIPPED = sorted(p for p in DIAGRAMS.rglob("*.yaml") if not p.match("*.test.yaml"))


@pytest.mark.parametrize("path", SHIPPED, ids=lambda p: p.stem)
def test_every_shipped_diagram_opens_clean_and_round_trips(window, hand, tmp_path, path):
    copy = tmp_path / "diagrams"
    shutil.copytree(DIAGRAMS, copy)
    file = copy / path.relative_to(DIAGRAMS)
    before = {f: f.read_bytes() for f in copy.rglob("*.yaml")}
    assert window.editor.files.open(os.fspath(file))
    assert crossed(hand.scene) == []
    for name, entry in window.editor.document.root.blocks.items():
        if entry.subsystem is not None:
            window.editor.canvas.enter((name,))
            assert crossed(hand.scene) == []
            window.editor.canvas.enter(())
    window.editor.document.save()
    assert {f: f.read_bytes() for f in copy.rglob("*.yaml")} == before


def test_a_move_and_its_undo_leave_the_file_as_it_was(loop, hand, loop_file):
    before = loop_file.read_bytes()
    hand.drag(hand.block("gain"), hand.block("gain") + QPointF(0, 100))
    loop.commands["undo"].trigger()
    loop.commands["save"].trigger()
    assert loop_file.read_bytes() == before


def test_saving_keeps_comments_and_untouched_lines(loop, hand, loop_file):
    before = loop_file.read_text().splitlines()
    hand.click(hand.block("gain"))
    hand.fill(loop.editor.workspace.inspector.rows["k"].edit, "2 * 3")
    loop.commands["save"].trigger()
    after = loop_file.read_text().splitlines()
    changed = [(a, b) for a, b in zip(before, after, strict=True) if a != b]
    assert changed == [
        (
            "  gain:  {type: math.gain, k: 2}     # the gain",
            "  gain:  {type: math.gain, k: 2 * 3}     # the gain",
        )
    ]
    assert loop.editor.document.is_saved


def test_what_was_saved_is_what_is_open(loop, hand, loop_file):
    hand.drop("math.abs", hand.wire(("gain", "y"), ("plant", "u")))
    loop.commands["save"].trigger()
    assert load(loop_file) == loop.editor.document.root


def test_changes_inside_a_subsystem_file_are_saved_there(window, hand, tmp_path):
    (tmp_path / "inner.yaml").write_text(
        "diagram: 1\ninputs: {e: g.u}\noutputs: {y: g.y}\nblocks:\n"
        "  g: {type: math.gain, k: 2}  # inner\n"
    )
    outer = tmp_path / "outer.yaml"
    outer.write_text(
        "diagram: 1\nblocks:\n  s: {type: sources.step}\n  a: {subsystem: inner.yaml}\n"
        "  b: {subsystem: inner.yaml}\nwires:\n  - s -> a -> b\n"
    )
    text = outer.read_text()
    assert window.editor.files.open(os.fspath(outer))
    hand.double_click(hand.block("a"))
    hand.click(hand.block("g"))
    hand.fill(window.editor.workspace.inspector.rows["k"].edit, "5")
    window.commands["save"].trigger()
    assert "g: {type: math.gain, k: 5}  # inner" in (tmp_path / "inner.yaml").read_text()
    assert outer.read_text() == text
    other = window.editor.document.root.blocks["b"].subsystem.diagram
    assert other.blocks["g"].values["k"].node.text == "5"
    assert load(outer) == window.editor.document.root


def test_a_broken_file_is_refused_with_the_message_of_headless_use(window, tmp_path):
    broken = tmp_path / "broken.yaml"
    broken.write_text("diagram: 1\nblocks: [\n")
    with pytest.raises(Exception, match=r"broken\.yaml:") as error_info:
        load(broken)
    assert not window.editor.files.open(os.fspath(broken))
    assert str(error_info.value) in window.asked[-1]


def test_a_file_with_mistakes_opens_with_its_problems(window, hand, tmp_path):
    file = tmp_path / "mistakes.yaml"
    file.write_text(
        "diagram: 1\nblocks:\n  a: {type: sources.sine, omega: 3 m}\n  b: {type: math.gian}\n"
        "wires:\n  - a -> b\n"
    )
    assert window.editor.files.open(os.fspath(file))
    hand.settle()
    messages = [problem.message for problem in window.editor.problems.problems]
    assert any("math.gian" in message for message in messages)
    assert hand.scene.blocks["a"].problem
    assert hand.scene.blocks["b"].problem
    item = next(
        window.editor.problems.item(i)
        for i in range(window.editor.problems.count())
        if "omega" in window.editor.problems.item(i).text()
    )
    window.editor.problems.itemClicked.emit(item)
    assert hand.scene.chosen_blocks() == ["a"]


def test_unsaved_work_is_not_left_without_asking(loop, hand, loop_file):
    hand.drop("math.gain", (0, 300))
    loop.answers = [Button.Cancel]
    assert not loop.close()
    assert "not saved" in loop.asked[-1]
    loop.answers = [Button.Save]
    assert loop.close()
    assert "gain_2" in loop_file.read_text()


def test_a_change_on_disk_is_told_and_reloaded(loop, hand, loop_file):
    loop_file.write_text(loop_file.read_text().replace("k: 2}", "k: 7}"))
    loop.answers = [Button.Yes]
    loop.editor.files.check_disk()
    assert "another program" in loop.asked[-1]
    assert loop.editor.document.root.blocks["gain"].values["k"].node.text == "7"
    assert loop.editor.document.is_saved


def test_after_a_crash_unsaved_work_is_offered(loop, hand, loop_file, qtbot, tmp_path, monkeypatch):
    hand.drop("math.gain", (0, 300))
    loop.editor.files.keep_unsaved()
    record = next((tmp_path / "config" / "recovery").glob("*.json"))
    dead = record.with_name("999999-x.json")
    shutil.copy(record, dead)
    other = EditorWindow(settings=Settings(tmp_path / "config"))
    qtbot.addWidget(other)
    monkeypatch.setattr(other.editor.dialogs, "ask", lambda *_: Button.Yes)
    assert other.editor.files.offer_leftovers()
    assert "gain_2" in other.editor.document.root.blocks
    assert not other.editor.document.is_saved
    assert not dead.exists()
    other.editor.dialogs.ask = lambda *_: Button.Discard


def test_python_blocks_load_only_after_the_user_agreed(window, hand, tmp_path):
    (tmp_path / "mine.py").write_text(
        "from pathlib import Path\n"
        "Path(__file__).with_name('ran').touch()\n"
        "from railblocks.engine import Block, In, Out, out\n"
        "class Twice(Block):\n"
        "    '''Twice the input.'''\n"
        "    u = In('1', 'input')\n"
        "    y = Out('1', 'output')\n"
        "    @out('y')\n"
        "    def twice(u):\n"
        "        return 2 * u\n"
    )
    file = tmp_path / "uses.yaml"
    file.write_text(
        "diagram: 1\nblocks:\n  s: {type: sources.step}\n  t: {type: mine.twice}\nwires: [s -> t]\n"
    )
    window.answers = [Button.No]
    assert window.editor.files.open(os.fspath(file))
    assert not (tmp_path / "ran").exists()
    window.answers = [Button.Yes]
    assert window.editor.files.open(os.fspath(file))
    assert (tmp_path / "ran").exists()
    hand.settle()
    assert window.editor.problems.problems == []
    assert window.editor.library.catalogue.search("twice")[0].id == "mine.twice"
    assert Settings(tmp_path / "config").trusts(os.fspath(tmp_path / "mine.py"))
    (tmp_path / "mine.py").write_text("raise SystemExit")
    assert not Settings(tmp_path / "config").trusts(os.fspath(tmp_path / "mine.py"))


def test_save_as_moves_relative_paths(tmp_path):
    document = Document.open(
        os.fspath(DIAGRAMS / "conti2012" / "scenario_1.yaml"), standard_blocks()
    )
    target = tmp_path / "mine.yaml"
    document.save(os.fspath(target))
    assert load(target).blocks["simulator"].subsystem.diagram is not None
