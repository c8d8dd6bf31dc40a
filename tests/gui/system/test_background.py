"""Background work: the newest question first, answered in another thread."""

import threading

import pytest
from railblocks.gui.system.background import BackgroundWork


def test_the_newest_question_is_answered_and_those_that_waited_are_not(qtbot):
    first, seen, answers = threading.Event(), [], []

    def work(question):
        seen.append((question, threading.current_thread()))
        if question == 0:
            first.wait(5)
        return 10 * question

    background = BackgroundWork(work)
    background.answered.connect(lambda q, a: answers.append((q, a, threading.current_thread())))
    background.ask(0)
    qtbot.waitUntil(lambda: bool(seen))
    for number in (1, 2, 3):
        background.ask(number)
    first.set()
    qtbot.waitUntil(lambda: not background.is_busy)
    assert [question for question, _ in seen] == [0, 3]
    assert answers[-1] == (3, 30, threading.main_thread())
    assert all(thread is not threading.main_thread() for _, thread in seen)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_after_a_failure_the_next_question_is_answered(qtbot):
    answers = []
    background = BackgroundWork(lambda question: 1 / question)
    background.answered.connect(lambda q, a: answers.append(a))
    background.ask(0)
    qtbot.waitUntil(lambda: not background.is_busy)
    background.ask(2)
    qtbot.waitUntil(lambda: answers == [0.5])
