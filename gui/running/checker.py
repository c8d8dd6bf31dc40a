"""Checks of the diagram beside the window: the newest question is answered, older ones are not."""

from __future__ import annotations

import threading

from railblocks.engine.diagram.diagram import Diagram
from railblocks.engine.registry import Registry

from ..model.problems import Found, checked


class Checker:
    """Ask, and look later whether there is an answer."""

    def __init__(self) -> None:
        self._question: tuple[Diagram, Registry] | None = None
        self._answer: tuple[Diagram, list[Found]] | None = None
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def ask(self, root: Diagram, registry: Registry) -> None:
        with self._lock:
            self._question = (root, registry)
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, daemon=True, name="check")
                self._thread.start()

    def answer(self) -> tuple[Diagram, list[Found]] | None:
        """What was found last, once."""
        with self._lock:
            found, self._answer = self._answer, None
        return found

    @property
    def is_busy(self) -> bool:
        return self._thread is not None

    def _work(self) -> None:
        while True:
            with self._lock:
                question, self._question = self._question, None
                if question is None:
                    self._thread = None
                    return
            try:
                found = checked(*question)
                problems = found if isinstance(found, list) and question[0].blocks else []
            except Exception as error:  # a block's own code may raise anything
                problems = [Found(f"the check failed: {type(error).__name__}: {error}", ())]
            with self._lock:
                self._answer = (question[0], problems)
