"""Files written in one step."""

import ast
import contextlib
import os
import stat
import threading

import pytest
from imports import source_modules
from railblocks.engine.diagram.saving import write_text
from railblocks.engine.files.replacing import replace_text, replacing


def test_new_file_has_the_content_and_nothing_stands_beside_it(tmp_path):
    replace_text(tmp_path / "a.txt", "one\r\ntwo\n")
    assert (tmp_path / "a.txt").read_bytes() == b"one\r\ntwo\n"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_new_file_follows_the_umask_unless_it_is_private(tmp_path):
    before = os.umask(0o027)
    try:
        replace_text(tmp_path / "open", "")
        replace_text(tmp_path / "private", "", mode=0o600)
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "open").stat().st_mode) == 0o640
    assert stat.S_IMODE((tmp_path / "private").stat().st_mode) == 0o600


def test_permissions_of_the_old_file_stay(tmp_path):
    file = tmp_path / "a.txt"
    file.write_text("old")
    file.chmod(0o604)
    replace_text(file, "new")
    assert file.read_text() == "new"
    assert stat.S_IMODE(file.stat().st_mode) == 0o604


def test_error_leaves_the_old_file_and_no_other(tmp_path):
    file = tmp_path / "a.txt"
    file.write_text("old")
    with contextlib.suppress(RuntimeError), replacing(file) as temporary:
        with open(temporary, "w") as part:
            part.write("half of")
        raise RuntimeError
    assert file.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_link_stays_and_its_target_changes(tmp_path):
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    replace_text(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_files_with_the_old_temporary_names_are_not_touched(tmp_path):
    precious = tmp_path / "precious"
    precious.write_text("keep me")
    for name in ("a.txt.part", ".a.txt.part", "a.part"):
        (tmp_path / name).symlink_to(precious)
    write_text(str(tmp_path / "a.txt"), "new")
    assert precious.read_text() == "keep me"


def test_names_differ_from_one_time_to_the_next(tmp_path):
    names = set()
    for _ in range(3):
        with replacing(tmp_path / "a") as temporary:
            assert os.path.dirname(temporary) == str(tmp_path)
            names.add(temporary)
    assert len(names) == 3


@pytest.mark.parametrize("name", ["folder", "pipe"])
def test_what_is_no_file_is_not_replaced(tmp_path, name):
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="it is"):
        replace_text(tmp_path / name, "text")


def test_many_writers_leave_one_whole_text(tmp_path):
    file = tmp_path / "a.txt"
    texts = [str(i) * 100_000 for i in range(8)]
    threads = [threading.Thread(target=replace_text, args=(file, text)) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert file.read_text() in texts
    assert os.listdir(tmp_path) == ["a.txt"]


def test_nobody_else_puts_files_in_place():
    """Whole files are written through `replacing`; results take their name under their own lock."""
    modules = source_modules()
    calls = {"replace": set(), "text": set()}
    for module, path in modules.items():
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call):
                continue
            name = ast.unparse(node.func)
            if name in ("os.replace", "os.rename", "shutil.move", "tempfile.NamedTemporaryFile"):
                calls["replace"].add(module)
            if name.endswith((".write_text", ".write_bytes", ".mkstemp")):
                calls["text"].add(module)
    home = "railblocks.engine"
    assert calls["replace"] == {f"{home}.files.replacing", f"{home}.runs.claim"}
    built = f"{home}.shipping.wheel_with_kernels"  # in a temporary folder of its own
    assert calls["text"] == {built}
