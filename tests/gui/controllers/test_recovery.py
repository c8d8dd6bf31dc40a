"""Unsaved work after a crash: it is thrown away only once it is kept elsewhere."""

import json
import os

import pytest
from PySide6.QtWidgets import QFileDialog
from railblocks.engine import standard_blocks
from railblocks.gui.controllers.dialogs import Button
from railblocks.gui.files.recovery import Recovery
from railblocks.gui.model.document import Document

TEXT = "diagram: 1\ntitle: Mine\nblocks:\n  g: {type: math.gain, k: 7}\n"
DEAD = "999999-x.json"


def left_behind(records_folder, text=TEXT, file="", name=DEAD, **more):
    record = records_folder / name
    record.write_text(json.dumps({"file": str(file), "text": text, **more}))
    return record


def records(records_folder):
    return sorted(path.name for path in records_folder.glob("*.json"))


def test_a_copy_goes_only_after_the_restored_document_is_kept(window, records_folder, monkeypatch):
    record = left_behind(records_folder)
    there = []
    keep = window.editor.files.recovery.keep
    monkeypatch.setattr(
        window.editor.files.recovery, "keep", lambda *a: there.append(record.exists()) or keep(*a)
    )
    window.answers = [Button.Yes]
    assert window.editor.files.offer_leftovers() == [""]
    assert there == [True]
    assert not record.exists()
    (own,) = records(records_folder)
    assert json.loads((records_folder / own).read_text())["text"] == TEXT
    assert window.editor.document.root.blocks["g"].values["k"].node.text == "7"


def test_a_copy_stays_if_the_restored_document_cannot_be_kept(window, records_folder, monkeypatch):
    record = left_behind(records_folder)
    monkeypatch.setattr(window.editor.files.recovery, "keep", lambda *_: "no space left")
    window.answers = [Button.Yes]
    assert window.editor.files.offer_leftovers()
    assert record.exists()
    assert str(record) in window.asked[-1]


def test_with_a_missing_subsystem_the_work_stays_and_can_be_saved(
    window, records_folder, tmp_path, monkeypatch
):
    text = TEXT + "  s: {subsystem: gone.yaml}\n"
    record = left_behind(records_folder, text, tmp_path / "outer.yaml")
    target = tmp_path / "elsewhere.yaml"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (os.fspath(target), ""))
    window.answers = [Button.Yes, Button.Save]
    assert window.editor.files.offer_leftovers() == []
    assert "gone.yaml" in window.asked[-1]
    assert str(record) in window.asked[-1]
    assert record.exists()
    assert target.read_text() == text
    (tmp_path / "gone.yaml").write_text("diagram: 1\nblocks: {}\n")
    window.answers = [Button.Yes]
    assert window.editor.files.offer_leftovers() == [os.fspath(tmp_path / "outer.yaml")]
    assert not record.exists()


@pytest.mark.parametrize("content", ["", "{", "[1]", '{"file": 3}', "not: [a diagram"])
def test_a_damaged_copy_stays_and_is_told(window, records_folder, content):
    record = records_folder / DEAD
    record.write_text(content)
    window.answers = [Button.Yes, Button.Close]
    assert window.editor.files.offer_leftovers() == []
    assert str(record) in window.asked[-1]
    assert record.read_text() == content


@pytest.mark.parametrize(("answer", "stays"), [(Button.Cancel, True), (Button.Discard, False)])
def test_what_is_not_wanted_now_stays_and_what_is_not_wanted_goes(
    window, records_folder, answer, stays
):
    record = left_behind(records_folder)
    for _ in range(1 + stays):
        window.answers = [answer]
        assert window.editor.files.offer_leftovers() == []
        assert record.exists() == stays
    assert window.answers == []


def test_the_work_of_two_windows_comes_back_in_two_windows(window, records_folder, qtbot):
    left_behind(records_folder, name="999998-a.json")
    left_behind(records_folder, TEXT.replace("7", "8"), name="999999-b.json")
    window.answers = [Button.Yes, Button.Yes]
    assert len(window.editor.files.offer_leftovers()) == 2
    (other,) = [w for w in window.open_windows if w is not window]
    qtbot.addWidget(other)
    values = [w.editor.document.root.blocks["g"].values["k"].node.text for w in (window, other)]
    assert values == ["7", "8"]
    assert len(records(records_folder)) == 2
    other.editor.dialogs.ask = lambda *_: Button.Discard


def test_a_file_that_is_gone_is_restored_under_its_name(window, records_folder, tmp_path):
    left_behind(records_folder, file=tmp_path / "gone.yaml")
    window.answers = [Button.Yes]
    assert window.editor.files.offer_leftovers()
    assert window.editor.files.save()
    assert (tmp_path / "gone.yaml").read_text() == TEXT
    assert records(records_folder) == []


def test_changes_inside_files_of_subsystems_are_kept_too(tmp_path):
    inner, outer = tmp_path / "inner.yaml", tmp_path / "outer.yaml"
    inner.write_text("diagram: 1\ninputs: {e: g.u}\noutputs: {y: g.y}\nblocks:\n  "
                     "g: {type: math.gain, k: 2}\n")  # fmt: skip
    outer.write_text("diagram: 1\nblocks:\n  a: {subsystem: inner.yaml}\n"
                     "  b: {subsystem: inner.yaml}\n")  # fmt: skip
    document = Document.open(os.fspath(outer), standard_blocks())
    assert document.changed_files() == {}
    from railblocks.gui.model.nodes import entry_of

    def change(level):
        block = level.blocks["g"]
        from dataclasses import replace

        return replace(level, blocks={"g": replace(block, values={"k": entry_of(5)})})

    document.edit_level(("a",), "k", change)
    recovery = Recovery(tmp_path / "config")
    assert recovery.keep(document.file, document.text(), document.changed_files()) == ""
    recovery._lock.release()  # as if the process had ended
    (left,) = Recovery(tmp_path / "config").leftovers()
    again = Document.recovered(left.text, left.file, standard_blocks(), left.others)
    for name in ("a", "b"):
        block = again.root.blocks[name].subsystem.diagram.blocks["g"]
        assert block.values["k"].node.text == "5"
    assert not again.is_saved
    again.save()
    assert "k: 5" in inner.read_text()


def test_unsaved_work_is_kept_while_changes_go_on(loop, hand, qtbot, tmp_path):
    loop.editor.files._autosave.setInterval(300)
    for k in range(12):
        loop.editor.document.set_title(f"Title {k}")
        qtbot.wait(60)
    assert list((tmp_path / "config" / "recovery").glob("*.json"))
