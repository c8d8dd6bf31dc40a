"""Layers of blocks along the flow of signals, from left to right; loops are opened first.

Where a loop is entered from outside, at its first input if there is a choice, it begins; the
wires back to there are feedback. A block, or a chain of them, that only leads back is turned
round and drawn below, as engineers draw it, if the signal that it takes is seen elsewhere too.
"""

from __future__ import annotations

from dataclasses import dataclass

import networkx as nx

from .scene import Net, Scene


@dataclass(frozen=True)
class Flow:
    """Layers of the blocks that point forward, and the chains that lead back."""

    layers: dict[str, int]
    chains: tuple[tuple[str, ...], ...]  # each in the direction of its signal, right to left
    back: frozenset[tuple[str, str]]  # edges against the flow


def flow_of(scene: Scene) -> Flow:
    graph = nx.DiGraph()
    graph.add_nodes_from(scene.boxes)
    for net in scene.nets:
        for block, port in net.targets:
            if block != net.source[0]:
                inputs = [p.name for p in scene.boxes[block].inputs]
                rank = inputs.index(port) if port in inputs else len(inputs)
                known = graph.edges.get((net.source[0], block), {}).get("rank", rank)
                graph.add_edge(net.source[0], block, rank=min(rank, known))
    back = _feedback(graph)
    chains = _chains(graph, back, scene)
    layers = _layers(_forward(graph, back, chains))
    kept = tuple(chain for chain in chains if _fits(chain, graph, layers))
    if len(kept) < len(chains):
        layers = _layers(_forward(graph, back, kept))
    return Flow(layers, kept, frozenset(back))


def _forward(
    graph: nx.DiGraph, back: set[tuple[str, str]], chains: tuple[tuple[str, ...], ...]
) -> nx.DiGraph:
    """The graph without feedback: it has no loops."""
    forward = graph.copy()
    forward.remove_edges_from(back)
    forward.remove_nodes_from([name for chain in chains for name in chain])
    return forward


def _feedback(graph: nx.DiGraph) -> set[tuple[str, str]]:
    """Edges whose removal leaves no loop."""
    order = {name: i for i, name in enumerate(graph)}
    rest = graph.copy()
    back: set[tuple[str, str]] = set()
    loops = [c for c in nx.strongly_connected_components(rest) if len(c) > 1]
    while loops:
        inside = loops.pop()

        def rank(name: str, inside: set[str] = inside) -> tuple[int, int]:
            entries = [
                rest.edges[source, name]["rank"]
                for source in rest.predecessors(name)
                if source not in inside
            ]
            return min(entries, default=1000), order[name]

        first = min(inside, key=rank)
        cut = [(source, first) for source in rest.predecessors(first) if source in inside]
        rest.remove_edges_from(cut)
        back.update(cut)
        part = rest.subgraph(inside)
        loops += [c for c in nx.strongly_connected_components(part) if len(c) > 1]
    return back


def _chains(
    graph: nx.DiGraph, back: set[tuple[str, str]], scene: Scene
) -> tuple[tuple[str, ...], ...]:
    """Blocks with one input and one output that take a branch of a signal back to the left."""
    drives: dict[str, list[Net]] = {}
    for net in scene.nets:
        drives.setdefault(net.source[0], []).append(net)
    chains: list[tuple[str, ...]] = []
    for last in graph:
        outs = list(graph.successors(last))
        if not outs or any((last, target) not in back for target in outs):
            continue
        chain = [last]
        while True:
            sources = list(graph.predecessors(chain[0]))
            if len(sources) != 1 or len(scene.boxes[chain[0]].inputs) != 1:
                break
            source = sources[0]
            nets = [n for n in drives[source] if any(t[0] == chain[0] for t in n.targets)]
            elsewhere = {t[0] for t in nets[0].targets} - {chain[0]}
            seen = nets[0].source in scene.shown or any(
                (source, target) not in back for target in elsewhere
            )
            if seen and (source, chain[0]) not in back:
                chains.append(tuple(chain))
                break
            single = len(drives[source]) == 1 and not elsewhere
            if not single or source in chain or not scene.boxes[source].inputs:
                break
            chain.insert(0, source)
    taken: set[str] = set()
    apart = []
    for names in chains:
        if not taken & set(names):
            taken |= set(names)
            apart.append(names)
    return tuple(apart)


def _layers(graph: nx.DiGraph) -> dict[str, int]:
    """The longest way from a source; what has time moves right, next to what it drives."""
    layers: dict[str, int] = {}
    order = list(
        nx.lexicographical_topological_sort(graph, key={n: i for i, n in enumerate(graph)}.get)
    )
    for name in order:
        layers[name] = max((layers[p] + 1 for p in graph.predecessors(name)), default=0)
    for name in reversed(order):
        nexts = [layers[s] for s in graph.successors(name)]
        if nexts and graph.in_degree(name) <= graph.out_degree(name):
            layers[name] = max(min(nexts) - 1, layers[name])
    return layers


def _fits(chain: tuple[str, ...], graph: nx.DiGraph, layers: dict[str, int]) -> bool:
    """Whether the way back is long enough for the chain."""
    (source,) = graph.predecessors(chain[0])
    targets = [layers[t] for t in graph.successors(chain[-1]) if t in layers]
    return source in layers and bool(targets) and layers[source] - min(targets) + 1 >= len(chain)
