"""Does something, anything, in a window, through events as a hand makes them."""

import random

from hand import CTRL, SHIFT
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QLineEdit

KINDS = (
    "math.gain", "math.sum", "sources.sine", "continuous.integrator", "sinks.scope", "subsystem",
    "routing.mux", "logic.not", "mechanics.dc_motor", "subsystem input", "subsystem output",
)  # fmt: skip


class Monkey:
    """Each `do_` is one gesture; they come in an order that the seed decides."""

    def __init__(self, window, hand, seed):
        self.window, self.hand, self.random = window, hand, random.Random(seed)
        self.done = []

    def somewhere(self):
        return QPointF(self.random.randrange(0, 500, 10), self.random.randrange(-100, 300, 10))

    def block(self):
        keys = list(self.hand.scene.blocks)
        return self.random.choice(keys) if keys else None

    def act(self):
        names = [name for name in dir(self) if name.startswith("do_")]
        name = self.random.choice(names)
        self.done.append(name)
        getattr(self, name)()

    def do_drop(self):
        self.hand.drop(self.random.choice(KINDS), self.somewhere())

    def do_drop_on_wire(self):
        nets = list(self.hand.scene.nets.values())
        if nets:
            net = self.random.choice(nets).net
            self.hand.drop("math.gain", self.hand.wire(net.source, net.targets[0]))

    def do_drag(self):
        if key := self.block():
            keys = self.random.choice((Qt.KeyboardModifier.NoModifier, CTRL))
            self.hand.drag(self.hand.block(key), self.somewhere(), keys)

    def do_wire(self):
        ports = [(k, *p) for k, item in self.hand.scene.blocks.items() for p in item.ports()]
        if len(ports) > 1:
            a, b = self.random.sample(ports, 2)
            self.hand.drag(self.hand.port(*a), self.hand.port(*b))
            self.window.editor.workspace.quick_insert.close_quietly()

    do_wire_again = do_wire_once_more = do_wire

    def do_select(self):
        if key := self.block():
            self.hand.click(self.hand.block(key), self.random.choice((CTRL, SHIFT)))

    def do_key(self):
        key, mod = self.random.choice(
            [
                (Qt.Key.Key_Delete, None), (Qt.Key.Key_C, CTRL), (Qt.Key.Key_V, CTRL),
                (Qt.Key.Key_D, CTRL), (Qt.Key.Key_I, CTRL), (Qt.Key.Key_R, CTRL | SHIFT),
                (Qt.Key.Key_G, CTRL), (Qt.Key.Key_G, CTRL | SHIFT), (Qt.Key.Key_X, CTRL | SHIFT),
                (Qt.Key.Key_J, CTRL), (Qt.Key.Key_U, CTRL), (Qt.Key.Key_Down, None),
                (Qt.Key.Key_A, CTRL | SHIFT), (Qt.Key.Key_X, CTRL),
            ]
        )  # fmt: skip
        self.hand.key(key, mod or Qt.KeyboardModifier.NoModifier)

    do_another_key = do_key

    def do_undo(self):
        self.window.commands["undo"].trigger()

    def do_redo(self):
        self.window.commands["redo"].trigger()

    def do_enter(self):
        if key := self.block():
            self.hand.double_click(self.hand.block(key))
            self.window.editor.canvas.setFocus()

    def do_leave(self):
        self.window.commands["go_up"].trigger()

    def do_rename(self):
        self.fill("name", f"b{self.random.randrange(100)}")

    def do_edit(self):
        rows = sorted(set(self.window.editor.workspace.inspector.rows) - {"name"})
        if rows:
            text = self.random.choice(("2", "0.5", "3 s", "nonsense", "", "1/7"))
            self.fill(self.random.choice(rows), text)

    def fill(self, name, text):
        row = self.window.editor.workspace.inspector.rows.get(name)
        if row is not None and isinstance(row.edit, QLineEdit):
            self.hand.fill(row.edit, text)
            self.window.editor.canvas.setFocus()

    def do_zoom_and_pan(self):
        self.window.commands[self.random.choice(("zoom_in", "zoom_out", "fit"))].trigger()
        start = QPointF(0, 0)
        self.hand.drag(start, self.somewhere(), button=Qt.MouseButton.MiddleButton)
        self.window.commands["fit"].trigger()
