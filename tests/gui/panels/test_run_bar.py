"""The run bar."""


def test_wrong_settings_are_refused_with_the_reason(loop, hand):
    messages = []
    loop.run_bar.message.connect(messages.append)
    hand.fill(loop.run_bar.stop_time, "3 m")
    assert "has unit m; expected a time" in messages[-1]
    assert loop.run_bar.stop_time.text() == "2 s"
    assert loop.editor.document.is_saved
