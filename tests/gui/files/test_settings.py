"""Settings of the editor."""

import os

import pytest
from railblocks.gui.files.recovery import Recovery
from railblocks.gui.files.settings import Settings


@pytest.mark.parametrize("kind", ["fifo", "deep", "folder"])
def test_settings_and_records_that_cannot_be_read_do_no_harm(tmp_path, kind):
    """Settings count as empty; a record that is not JSON is offered as the text that it is."""
    deep = "[" * 100_000
    (tmp_path / "recovery").mkdir()
    for path in (tmp_path / "editor.json", tmp_path / "recovery" / "999999999-a.json"):
        if kind == "fifo":
            os.mkfifo(path)
        elif kind == "deep":
            path.write_text(deep)
        else:
            path.mkdir()
    assert Settings(tmp_path).recent == []
    leftovers = Recovery(tmp_path).leftovers()
    assert [left.text for left in leftovers] == ([deep] if kind == "deep" else [])


def test_planted_links_at_old_temporary_names_are_not_followed(tmp_path):
    victim = tmp_path / "victim"
    victim.write_text("mine")
    (tmp_path / "editor.part").symlink_to(victim)
    settings = Settings(tmp_path)
    settings.set("theme", "dark")
    assert Settings(tmp_path).get("theme", "") == "dark"
    assert victim.read_text() == "mine"


def test_two_programs_keep_each_others_settings(tmp_path):
    one, two = Settings(tmp_path), Settings(tmp_path)
    one.set("theme", "dark")
    two.set("trusted", {"a": "b"})
    again = Settings(tmp_path)
    assert again.get("theme", "") == "dark"
    assert again.get("trusted", {}) == {"a": "b"}
