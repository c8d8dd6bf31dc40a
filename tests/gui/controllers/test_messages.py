"""Messages and hints in the status bar."""


def test_a_hint_goes_when_the_pointer_leaves(loop, hand):
    hand.move(hand.wire(("gain", "y"), ("plant", "u")))
    assert "gain.y" in loop.statusBar().currentMessage()
    hand.move((-300, -300))
    assert loop.statusBar().currentMessage() == ""
    loop.editor.messages.show("something else")
    hand.move((-310, -300))
    assert loop.statusBar().currentMessage() == "something else"


def test_a_message_goes_with_the_next_change_and_the_next_document(loop, hand):
    hand.click(hand.block("gain"))
    loop.commands["join"].trigger()
    assert "select two blocks" in loop.statusBar().currentMessage()
    loop.commands["comment_out"].trigger()
    assert loop.statusBar().currentMessage() == ""
    loop.editor.messages.show("a message")
    loop.editor.document.history.mark_saved()
    loop.commands["new"].trigger()
    assert loop.statusBar().currentMessage() == ""
