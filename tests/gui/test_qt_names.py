"""No name of ours hides one of Qt, unless it overrides a virtual function."""

import ast
import importlib
import inspect
import pkgutil
import textwrap

import pytest
import railblocks.gui
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QGraphicsItem

VIRTUAL = {
    "boundingRect": "QGraphicsItem",
    "drawBackground": "QGraphicsView",
    "eventFilter": "QObject",
    "mimeData": "QTreeWidget",
    "paint": "QGraphicsItem",
    "shape": "QGraphicsItem",
    # pyqtgraph means these to be overridden
    "dataBounds": "PlotCurveItem",
    "drawPicture": "AxisItem",
    "pixelPadding": "PlotCurveItem",
    "tickSpacing": "AxisItem",
    "updateMin": "LabelItem",
    "viewTransformChanged": "GraphicsItem",
    "text": "LabelItem",  # an attribute that it reads back
}
"""What may be overridden, by the class that declares it; handlers of events (`...Event`) too."""


def own_classes():
    for module in pkgutil.walk_packages(railblocks.gui.__path__, "railblocks.gui."):
        members = vars(importlib.import_module(module.name)).values()
        for kind in members:
            ours = inspect.isclass(kind) and kind.__module__ == module.name
            if ours and issubclass(kind, QObject | QGraphicsItem):
                yield kind


def names_of(kind):
    """Methods and attributes that a class defines, also those that its methods set on `self`."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(kind)))
    made_by_qt = {"staticMetaObject"}
    names = {name for name in vars(kind) if not name.startswith("__")} - made_by_qt
    for node in ast.walk(tree):
        targets = node.targets if isinstance(node, ast.Assign) else []
        targets = [node.target] if isinstance(node, ast.AnnAssign | ast.AugAssign) else targets
        for target in targets:
            for part in ast.walk(target):
                if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
                    names |= {part.attr} if part.value.id == "self" else set()
    return names


def hidden_names(kind):
    foreign = [base for base in kind.__mro__ if not base.__module__.startswith("railblocks")]
    theirs = {name for base in foreign if base is not object for name in vars(base)}
    hidden = names_of(kind) & theirs
    return {name for name in hidden if not name.endswith("Event") and name not in VIRTUAL}


@pytest.mark.parametrize("kind", list(own_classes()), ids=lambda kind: kind.__qualname__)
def test_a_class_hides_no_name_of_qt(kind):
    assert hidden_names(kind) == set()


def test_a_hidden_name_is_noticed():
    from PySide6.QtWidgets import QWidget

    class Hides(QWidget):
        def __init__(self):
            super().__init__()
            self.actions = {}
            self.mine, self.pos = 1, 2

        def find(self):
            """Hides QWidget.find."""

        def closeEvent(self, event):
            """Overrides a virtual function."""

    assert hidden_names(Hides) == {"actions", "find", "pos"}
