"""The user's folders: where they lie, what moves them, and whose they are."""

import os
import stat
import sys
from pathlib import Path

import pytest
from railblocks.engine.files.folders import (
    CACHE,
    CONFIG,
    STATE,
    cache_folder,
    recovery_folder,
    refusal,
    settings_folder,
    state_folder,
)
from railblocks.engine.program.store import Store

KINDS = {
    "cache": (cache_folder, CACHE, "XDG_CACHE_HOME", ".cache"),
    "state": (state_folder, STATE, "XDG_STATE_HOME", ".local/state"),
    "settings": (settings_folder, CONFIG, "XDG_CONFIG_HOME", ".config"),
}
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="XDG folders")


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """A user who has set nothing."""
    for _, variable, xdg, _ in KINDS.values():
        monkeypatch.delenv(variable, raising=False)
        monkeypatch.delenv(xdg, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@on_linux
@pytest.mark.parametrize("kind", KINDS)
def test_folders_lie_where_they_always_lay(kind, home):
    folder, _, _, below = KINDS[kind]
    assert folder() == home / below / "railblocks"


@on_linux
@pytest.mark.parametrize("kind", KINDS)
def test_the_variables_of_the_system_count(kind, tmp_path, monkeypatch):
    folder, _, xdg, _ = KINDS[kind]
    monkeypatch.setenv(xdg, str(tmp_path / "there"))
    assert folder() == tmp_path / "there" / "railblocks"


@pytest.mark.parametrize("kind", KINDS)
def test_our_own_variables_count_most(kind, tmp_path, monkeypatch):
    folder, variable, xdg, _ = KINDS[kind]
    monkeypatch.setenv(xdg, str(tmp_path / "there"))
    monkeypatch.setenv(variable, str(tmp_path / "here"))
    assert folder() == tmp_path / "here"


def test_settings_of_an_earlier_version_stay_in_use(home, monkeypatch, tmp_path):
    """Where the system has another folder for settings, as on a Mac."""
    monkeypatch.setattr("platformdirs.user_config_path", lambda *_, **__: tmp_path / "library")
    assert settings_folder() == tmp_path / "library"
    (home / ".config" / "railblocks").mkdir(parents=True)
    assert settings_folder() == home / ".config" / "railblocks"
    (tmp_path / "library").mkdir()
    assert settings_folder() == tmp_path / "library"


def test_unsaved_work_lies_beside_the_settings():
    assert recovery_folder(Path("settings")) == Path("settings/recovery")


@pytest.mark.parametrize(("mode", "is_kept"), [(0o700, True), (0o755, True), (0o775, False)])
def test_the_folder_that_is_used_by_default_is_made_private(tmp_path, monkeypatch, mode, is_kept):
    """One that the group could write, as some systems make folders, is emptied and used again."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = tmp_path / "railblocks"
    Store(folder).keep("a.ll", "text")
    folder.chmod(mode)
    store = Store()
    assert store.usable
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert (store.find("a.ll") is not None) == is_kept


@pytest.mark.parametrize(("mode", "is_trusted"), [(0o700, True), (0o755, True), (0o777, False)])
def test_a_folder_that_others_may_write_is_not_trusted(tmp_path, mode, is_trusted):
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache").chmod(mode)
    assert (refusal(tmp_path / "cache") == "") == is_trusted
    assert refusal(tmp_path / "missing") == ""


def test_a_folder_of_another_user_is_not_trusted(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    assert "belongs to another user" in refusal(tmp_path)
