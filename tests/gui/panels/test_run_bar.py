"""The run bar."""


def test_wrong_settings_are_refused_with_the_reason(loop, hand):
    said = []
    loop.run_bar.message.connect(said.append)
    hand.fill(loop.run_bar.stop_time, "3 m")
    assert "has unit m; expected a time" in said[-1]
    assert loop.run_bar.stop_time.text() == "2 s"
    assert loop.editor.document.is_saved
