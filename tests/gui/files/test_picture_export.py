"""Pictures of a diagram."""

import os

import pytest


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_the_diagram_is_exported_as_a_picture(loop, tmp_path, ending, monkeypatch):
    from PySide6.QtWidgets import QFileDialog

    target = tmp_path / f"picture.{ending}"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (os.fspath(target), ""))
    loop.commands["export_picture"].trigger()
    starts = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF"}
    assert target.read_bytes().startswith(starts[ending])
    assert target.stat().st_size > 1000
