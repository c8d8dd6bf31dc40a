"""The blocks that can be inserted, by family, and the search for them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from railblocks.engine.declaration import Declaration
from railblocks.engine.declaration.registry import Registry

from .blocks import INPUT, OUTPUT, SUBSYSTEM


@dataclass(frozen=True)
class Offer:
    """Something that can be inserted."""

    id: str
    summary: str
    family: str
    declaration: Declaration | None = None

    @property
    def name(self) -> str:
        return self.id.rpartition(".")[2]


PORTS = (
    Offer(INPUT, "Input of this subsystem.", "structure"),
    Offer(OUTPUT, "Output of this subsystem.", "structure"),
)
STRUCTURE = (Offer(SUBSYSTEM, "A diagram inside a block.", "structure"),)


class Catalogue:
    """All block types of a registry, and what structures a diagram."""

    def __init__(self, registry: Registry):
        self.registry = registry
        blocks = [
            Offer(d.id, d.summary, d.id.partition(".")[0], d)
            for d in (block.declaration for block in registry)
        ]
        self.offers = (*STRUCTURE, *PORTS, *blocks)

    def families(self) -> Iterator[tuple[str, list[Offer]]]:
        names = dict.fromkeys(offer.family for offer in self.offers)
        for name in sorted(names, key=lambda n: (n == "structure", n)):
            yield name, [offer for offer in self.offers if offer.family == name]

    def search(self, text: str, ports: bool = True) -> list[Offer]:
        """Offers that match all words, best first; `ports` takes ports of subsystems in."""
        words = text.lower().split()
        ranked = []
        for position, offer in enumerate(self.offers):
            if not ports and offer in PORTS:
                continue
            ranks = [_rank(offer, word) for word in words]
            if all(rank is not None for rank in ranks):
                ranked.append((sum(rank or 0 for rank in ranks), position, offer))
        return [offer for _, _, offer in sorted(ranked, key=lambda match: match[:2])]


def _rank(offer: Offer, word: str) -> int | None:
    """How well a word fits: the name, its parts, the family, the sentence."""
    name, plain = offer.name.lower(), word.replace(" ", "_")
    if name == plain or offer.id.lower() == plain:
        return 0
    if name.startswith(plain) or offer.id.lower().startswith(plain):
        return 1
    if any(part.startswith(plain) for part in name.split("_")):
        return 2
    if plain in offer.id.lower():
        return 3
    return 4 if word in offer.summary.lower() else None
