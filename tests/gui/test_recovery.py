"""Unsaved work after a crash: it is thrown away only once it is kept elsewhere."""

import json
import multiprocessing
import os
import stat
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog
from railblocks.engine import standard_blocks
from railblocks.gui.controllers.dialogs import Button
from railblocks.gui.files.recovery import Recovery
from railblocks.gui.files.settings import Settings
from railblocks.gui.model.document import Document

TEXT = "diagram: 1\ntitle: Mine\nblocks:\n  g: {type: math.gain, k: 7}\n"
DEAD = "999999-x.json"


@pytest.fixture
def folder(tmp_path):
    """The folder of records of the window."""
    path = tmp_path / "config" / "recovery"
    path.mkdir(parents=True)
    return path


def left_behind(folder, text=TEXT, file="", name=DEAD, **more):
    record = folder / name
    record.write_text(json.dumps({"file": str(file), "text": text, **more}))
    return record


def records(folder):
    return sorted(path.name for path in folder.glob("*.json"))


def test_a_copy_goes_only_after_the_restored_document_is_kept(window, folder, monkeypatch):
    record = left_behind(folder)
    there = []
    keep = window.editor.files.recovery.keep
    monkeypatch.setattr(
        window.editor.files.recovery, "keep", lambda *a: there.append(record.exists()) or keep(*a)
    )
    window.answers = [Button.Yes]
    assert window.editor.files.offer_leftovers() == [""]
    assert there == [True]
    assert not record.exists()
    (own,) = records(folder)
    assert json.loads((folder / own).read_text())["text"] == TEXT
    assert window.editor.document.root.blocks["g"].values["k"].node.text == "7"


def test_a_copy_stays_if_the_restored_document_cannot_be_kept(window, folder, monkeypatch):
    record = left_behind(folder)
    monkeypatch.setattr(window.editor.files.recovery, "keep", lambda *_: "no space left")
    window.answers = [Button.Yes]
    assert window.editor.files.offer_leftovers()
    assert record.exists()
    assert str(record) in window.asked[-1]


def test_with_a_missing_subsystem_the_work_stays_and_can_be_saved(
    window, folder, tmp_path, monkeypatch
):
    text = TEXT + "  s: {subsystem: gone.yaml}\n"
    record = left_behind(folder, text, tmp_path / "outer.yaml")
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
def test_a_damaged_copy_stays_and_is_told(window, folder, content):
    record = folder / DEAD
    record.write_text(content)
    window.answers = [Button.Yes, Button.Close]
    assert window.editor.files.offer_leftovers() == []
    assert str(record) in window.asked[-1]
    assert record.read_text() == content


@pytest.mark.parametrize(("answer", "stays"), [(Button.Cancel, True), (Button.Discard, False)])
def test_what_is_not_wanted_now_stays_and_what_is_not_wanted_goes(window, folder, answer, stays):
    record = left_behind(folder)
    for _ in range(1 + stays):
        window.answers = [answer]
        assert window.editor.files.offer_leftovers() == []
        assert record.exists() == stays
    assert window.answers == []


def test_the_work_of_two_windows_comes_back_in_two_windows(window, folder, qtbot):
    left_behind(folder, name="999998-a.json")
    left_behind(folder, TEXT.replace("7", "8"), name="999999-b.json")
    window.answers = [Button.Yes, Button.Yes]
    assert len(window.editor.files.offer_leftovers()) == 2
    (other,) = [w for w in window.open_windows if w is not window]
    qtbot.addWidget(other)
    values = [w.editor.document.root.blocks["g"].values["k"].node.text for w in (window, other)]
    assert values == ["7", "8"]
    assert len(records(folder)) == 2
    other.editor.dialogs.ask = lambda *_: Button.Discard


def test_a_file_that_is_gone_is_restored_under_its_name(window, folder, tmp_path):
    left_behind(folder, file=tmp_path / "gone.yaml")
    window.answers = [Button.Yes]
    assert window.editor.files.offer_leftovers()
    assert window.editor.files.save()
    assert (tmp_path / "gone.yaml").read_text() == TEXT
    assert records(folder) == []


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


def test_records_of_windows_that_live_are_not_offered(tmp_path):
    first, second = Recovery(tmp_path), Recovery(tmp_path)
    assert first.keep("", TEXT) == ""
    assert second.leftovers() == []
    first.discard()
    assert list((tmp_path / "recovery").iterdir()) == []


def _keep_and_die(folder):
    Recovery(Path(folder)).keep("", TEXT)
    os._exit(1)


def test_work_is_offered_after_a_crash_even_if_the_process_number_is_used_again(tmp_path):
    process = multiprocessing.get_context("spawn").Process(target=_keep_and_die, args=(tmp_path,))
    process.start()
    process.join()
    (record,) = (tmp_path / "recovery").glob("*.json")
    mine = record.with_name(f"{os.getpid()}-{record.name.partition('-')[2]}")
    record.rename(mine)
    record.with_suffix(".lock").rename(mine.with_suffix(".lock"))
    (left,) = Recovery(tmp_path).leftovers()
    assert left.text == TEXT
    assert Recovery(tmp_path).leftovers() == []  # offered to one window at a time
    left.release()
    assert len(Recovery(tmp_path).leftovers()) == 1


@pytest.mark.skipif(os.name == "nt", reason="permissions of POSIX")
def test_what_is_kept_is_private(tmp_path):
    (tmp_path / "recovery").mkdir(mode=0o755)
    recovery = Recovery(tmp_path)
    recovery.keep("", TEXT)
    assert stat.S_IMODE((tmp_path / "recovery").stat().st_mode) == 0o700
    for file in (tmp_path / "recovery").iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    settings = Settings(tmp_path / "config")
    settings.set("theme", "dark")
    assert stat.S_IMODE((tmp_path / "config" / "editor.json").stat().st_mode) == 0o600


def test_a_failed_write_leaves_the_copy_before(tmp_path, monkeypatch):
    recovery = Recovery(tmp_path)
    recovery.keep("", TEXT)

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert recovery.keep("", "new") == "No space left on device"
    monkeypatch.undo()
    recovery._lock.release()
    (left,) = Recovery(tmp_path).leftovers()
    assert left.text == TEXT
    assert not list((tmp_path / "recovery").glob("*.part"))


def test_two_programs_keep_each_others_settings(tmp_path):
    one, two = Settings(tmp_path), Settings(tmp_path)
    one.set("theme", "dark")
    two.set("trusted", {"a": "b"})
    again = Settings(tmp_path)
    assert again.get("theme", "") == "dark"
    assert again.get("trusted", {}) == {"a": "b"}


def test_unsaved_work_is_kept_while_changes_go_on(loop, hand, qtbot, tmp_path):
    loop.editor.files._autosave.setInterval(300)
    for k in range(12):
        loop.editor.document.set_title(f"Title {k}")
        qtbot.wait(60)
    assert list((tmp_path / "config" / "recovery").glob("*.json"))
