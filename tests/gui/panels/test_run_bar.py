"""The run bar."""

import os


def test_wrong_settings_are_refused_with_the_reason(loop, hand):
    messages = []
    loop.run_bar.message.connect(messages.append)
    hand.fill(loop.run_bar.stop_time, "3 m")
    assert "has unit m; expected a time" in messages[-1]
    assert loop.run_bar.stop_time.text() == "2 s"
    assert loop.editor.document.is_saved


def test_another_document_starts_with_its_own_settings_and_nothing_run(loop, hand, loop_file):
    hand.run()
    loop.run_bar.slider.setValue(500)
    assert "looking at t = 1 s" in loop.run_bar.status.text()
    assert loop.editor.files.new()
    bar = loop.run_bar
    assert (bar.status.text(), bar.progress.value(), bar.slider.value()) == ("ready", 0, 1000)
    assert bar.stop_time.text() == "10 s"
    assert not bar.slider.isEnabled()
    assert not loop.commands["go_on"].isEnabled()
    assert loop.editor.files.open(os.fspath(loop_file))
    assert bar.stop_time.text() == "2 s"
