"""Links of a chain or tree as parameters of a block: the list, and the tables made of it."""

import numpy as np
from railblocks.blocks.rail.multibody.chain import COLUMNS
from railblocks.blocks.rail.multibody.chain_branches import loaded_links, loaded_problem
from railblocks.blocks.rail.multibody.chain_links import chain_tables, link_problems
from railblocks.engine.declaration import Derived, Param, derive, validate


class ListedLinks:
    """List of links, the loaded ones among them, gravity, and where joints start."""

    chain = Param("1", "list of links", type=object)
    loaded = Param("1", "names of the links that w acts on; none: all", type=object, default=[])
    g = Param("m/s^2", "gravity", shape=(3,), default=[0.0, 0.0, -9.81])
    links = Derived("1", "table of links", shape=("n", COLUMNS))
    start = Derived("1", "positions at the start", shape="n")
    rate = Derived("1", "rates at the start", shape="n")
    none = Derived("1", "zeros", shape="n")
    loads = Derived("1", "numbers of the loaded links", shape="m")

    @validate
    def links_are_sound(chain, loaded):
        return next(link_problems(chain), None) or loaded_problem(chain, loaded)

    @derive("links", "start", "rate", "none", "loads")
    def tables(chain, loaded):
        links, start, rate = chain_tables(chain)
        return links, start, rate, 0.0 * start, np.array(loaded_links(chain, loaded), dtype=float)
