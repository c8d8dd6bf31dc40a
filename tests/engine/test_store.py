"""The cache: content by name, written once, kept within bounds, never in the way."""

import os

from railblocks.engine.program import store as stores
from railblocks.engine.program.store import Store


def test_content_is_made_once_and_found_by_another_store(tmp_path):
    made = []

    def make():
        made.append(1)
        return b"content"

    assert Store(tmp_path).data("a.o", make) == b"content"
    assert Store(tmp_path).data("a.o", make) == b"content"
    assert made == [1]


def test_a_folder_that_cannot_be_written_is_no_obstacle(tmp_path):
    (tmp_path / "file").write_text("in the way")
    store = Store(tmp_path / "file")
    assert store.data("a.o", lambda: b"content") == b"content"
    assert store.find("a.o") == b"content"


def test_no_temporary_file_is_left_behind(tmp_path):
    Store(tmp_path).data("a.o", lambda: b"content")
    assert os.listdir(tmp_path) == ["a.o"]


def test_only_the_programs_that_were_used_last_are_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(stores, "KEPT_PROGRAMS", 2)
    for i, name in enumerate(("p_1.o", "p_2.o", "p_3.o")):
        Store(tmp_path).data(name, lambda: b"code")
        os.utime(tmp_path / name, (i, i))
    Store(tmp_path).find("p_2.o")
    Store(tmp_path).data("k_1.ll", lambda: b"kernel")
    Store(tmp_path).data("p_4.o", lambda: b"code")
    assert sorted(os.listdir(tmp_path)) == ["k_1.ll", "p_2.o", "p_4.o"]
