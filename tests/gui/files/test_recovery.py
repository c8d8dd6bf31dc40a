"""Records of unsaved work."""

import multiprocessing
import os
import stat
from pathlib import Path

import pytest
from railblocks.gui.files.recovery import Recovery
from railblocks.gui.files.settings import Settings

TEXT = "diagram: 1\ntitle: Mine\nblocks:\n  g: {type: math.gain, k: 7}\n"


def _keep_and_die(records_folder):
    Recovery(Path(records_folder)).keep("", TEXT)
    os._exit(1)


def test_records_of_windows_that_live_are_not_offered(tmp_path):
    first, second = Recovery(tmp_path), Recovery(tmp_path)
    assert first.keep("", TEXT) == ""
    assert second.leftovers() == []
    first.discard()
    assert list((tmp_path / "recovery").iterdir()) == []


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
