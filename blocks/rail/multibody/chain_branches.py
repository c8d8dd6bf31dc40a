"""Branches of a list of links: which link carries which, by name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

GROUND = "ground"


def branch_problems(chain: list[dict[str, Any]]) -> Iterator[str]:
    """What is wrong with the names of links and of their parents."""
    names: dict[str, int] = {}
    for number, link in enumerate(chain, 1):
        if "name" not in link:
            continue
        name = link["name"]
        if not isinstance(name, str) or not name:
            yield f"link {number}: name = {name}; expected text such as bogie"
        elif name == GROUND:
            yield f"link {number}: name = {GROUND} stands for the ground; choose another name"
        elif name in names:
            yield f"link {number}: name = {name} is that of link {names[name]} already"
        else:
            names[name] = number
    for number, link in enumerate(chain, 1):
        if "parent" in link and (flaw := _flaw(chain, names, number, link["parent"])):
            yield f"link {number}: parent = {link['parent']} {flaw}"


def _flaw(
    chain: list[dict[str, Any]], names: dict[str, int], number: int, parent: Any
) -> str | None:
    if parent == GROUND:
        return None
    if not isinstance(parent, str) or parent not in names:
        known = ", ".join([GROUND, *names])
        return f"is not the name of a link; expected one of {known}"
    if names[parent] < number:
        return None
    way = [number]
    while (before := _parent_number(chain, names, way[-1])) is not None:
        way.append(before)
        if before == number:
            shown = " -> ".join(str(chain[k - 1].get("name", f"link {k}")) for k in way)
            return f"closes a circle, {shown}; expected links that lead to the ground"
        if before in way[:-1]:
            break
    return (
        f"is link {names[parent]}, which is listed later; list a link behind the one that "
        "carries it"
    )


def _parent_number(chain: list[dict[str, Any]], names: dict[str, int], number: int) -> int | None:
    """The link that carries another one, counted from 1; None for the ground."""
    link = chain[number - 1]
    if "parent" not in link:
        return number - 1 or None
    return names.get(link["parent"])


def loaded_problem(chain: list[dict[str, Any]], loaded: Any) -> str | None:
    """The message about loads on links that are not there, or None."""
    names = [link["name"] for link in chain if "name" in link]
    if not isinstance(loaded, list):
        return f"loaded = {loaded}; expected a list of names of links"
    for name in loaded:
        if name not in names:
            known = ", ".join(names) or "none, since no link has a name"
            return f"loaded has {name}, which is not the name of a link; known are {known}"
        if loaded.count(name) > 1:
            return f"loaded has {name} twice; name each link once"
    return None


def loaded_links(chain: list[dict[str, Any]], loaded: list[str]) -> list[int]:
    """Numbers of the loaded links, from 0; all where none is named."""
    if not loaded:
        return list(range(len(chain)))
    names = [link.get("name") for link in chain]
    return [names.index(name) for name in loaded]


def links_back(chain: list[dict[str, Any]]) -> list[int]:
    """How many links lie between each one and the one that carries it."""
    names = {link["name"]: number for number, link in enumerate(chain, 1) if "name" in link}
    back = []
    for number in range(1, len(chain) + 1):
        parent = _parent_number(chain, names, number) or 0
        back.append(number - 1 - parent)
    return back
