"""Work beside the window: newest question first, in another thread, told in the window's own."""

import threading

import pytest
from railblocks.gui.running.beside import Beside


def test_the_newest_question_is_answered_and_those_that_waited_are_not(qtbot):
    first, seen, told = threading.Event(), [], []

    def work(question):
        seen.append((question, threading.current_thread()))
        if question == 0:
            first.wait(5)
        return 10 * question

    beside = Beside(work)
    beside.answered.connect(lambda q, a: told.append((q, a, threading.current_thread())))
    beside.ask(0)
    qtbot.waitUntil(lambda: bool(seen))
    for number in (1, 2, 3):
        beside.ask(number)
    first.set()
    qtbot.waitUntil(lambda: not beside.is_busy)
    assert [question for question, _ in seen] == [0, 3]
    assert told[-1] == (3, 30, threading.main_thread())
    assert all(thread is not threading.main_thread() for _, thread in seen)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_after_a_failure_the_next_question_is_answered(qtbot):
    told = []
    beside = Beside(lambda question: 1 / question)
    beside.answered.connect(lambda q, a: told.append(a))
    beside.ask(0)
    qtbot.waitUntil(lambda: not beside.is_busy)
    beside.ask(2)
    qtbot.waitUntil(lambda: told == [0.5])
