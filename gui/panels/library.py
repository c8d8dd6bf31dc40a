"""The block library: searched, by family, with documentation; blocks are dragged from it."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QMimeData, Qt, Signal
from PySide6.QtWidgets import (
    QLineEdit,
    QSplitter,
    QTextBrowser,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from ..gestures.library_drop import BLOCK_FORMAT
from ..model.catalogue import Catalogue, Offer
from .documentation import page

ROLE = Qt.ItemDataRole.UserRole
HINT = "<p>Choose a block to read about it. Drag it onto the canvas, or press Enter.</p>"


class OfferTree(QTreeWidget):
    """The tree of families and their blocks, from which blocks are dragged."""

    def __init__(self) -> None:
        super().__init__()
        self.setHeaderHidden(True)
        self.setDragEnabled(True)
        self.setAccessibleName("Blocks")

    def mimeData(self, items) -> QMimeData:
        data = QMimeData()
        offer = items[0].data(0, ROLE) if items else None
        if offer is not None:
            data.setData(BLOCK_FORMAT, QByteArray(offer.id.encode()))
            data.setText(offer.id)
        return data


class Library(QWidget):
    """The panel of the block library: search line, tree, and page of documentation."""

    block_wanted = Signal(str)

    def __init__(self, catalogue: Catalogue):
        super().__init__()
        self.search = QLineEdit()
        self.search.setPlaceholderText("Search blocks")
        self.search.setClearButtonEnabled(True)
        self.tree = OfferTree()
        self.page = QTextBrowser()
        self.page.setHtml(HINT)
        self.setMinimumWidth(230)
        split = QSplitter(Qt.Orientation.Vertical)
        split.addWidget(self.tree)
        split.addWidget(self.page)
        split.setSizes([420, 260])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4, 4, 4, 4)
        layout.addWidget(self.search)
        layout.addWidget(split)
        self.search.textChanged.connect(self._fill)
        self.search.returnPressed.connect(self._insert)
        self.tree.currentItemChanged.connect(self._show_page)
        self.tree.itemActivated.connect(self._insert)
        self.show_catalogue(catalogue)

    def show_catalogue(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self._fill(self.search.text())

    def _fill(self, text: str) -> None:
        self.tree.clear()
        if text.strip():
            for offer in self.catalogue.search(text):
                self.tree.addTopLevelItem(_item(offer, offer.id))
            first = self.tree.topLevelItem(0)
            if first is not None:
                self.tree.setCurrentItem(first)
            return
        for family, offers in self.catalogue.families():
            folder = QTreeWidgetItem([f"{family} ({len(offers)})"])
            folder.setFlags(folder.flags() & ~Qt.ItemFlag.ItemIsDragEnabled)
            for offer in offers:
                folder.addChild(_item(offer, offer.name))
            self.tree.addTopLevelItem(folder)

    def _show_page(self, item: QTreeWidgetItem | None, *_) -> None:
        offer = item.data(0, ROLE) if item else None
        self.page.setHtml(page(offer) if offer else HINT)

    def _insert(self, *_) -> None:
        item = self.tree.currentItem()
        offer = item.data(0, ROLE) if item else None
        if offer is not None:
            self.block_wanted.emit(offer.id)


def _item(offer: Offer, text: str) -> QTreeWidgetItem:
    item = QTreeWidgetItem([text])
    item.setData(0, ROLE, offer)
    item.setToolTip(0, offer.summary)
    return item
