"""The routing graph of a device: nodes are kinds, edges are datapaths, all of cost one."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass
class RoutingGraph:
    """Directed graph over kinds; neighbours keep the order of the datapaths in the device file."""

    successors: dict[str, list[str]] = field(default_factory=dict)

    def add_node(self, kind: str) -> None:
        """Add a node; a kind that is there already stays as it is."""
        self.successors.setdefault(kind, [])

    def add_edge(self, source: str, target: str) -> None:
        """Add an edge; repeated edges (of interchangeable groups) count once."""
        self.add_node(source)
        self.add_node(target)
        if target not in self.successors[source]:
            self.successors[source].append(target)

    def shortest(self, source: str, target: str, avoid: Iterable[str] = ()) -> list[str]:
        """Nodes of a shortest route from `source` to `target`, both included; empty if there is none.

        Breadth first, ties in datapath order. Nodes in `avoid` are not passed through.
        """
        closed = set(avoid)
        if source not in self.successors or target not in self.successors:
            return []
        previous: dict[str, str | None] = {source: None}
        queue = deque([source])
        while queue:
            node = queue.popleft()
            if node == target:
                route: list[str] = []
                step: str | None = node
                while step is not None:
                    route.append(step)
                    step = previous[step]
                return route[::-1]
            if node in closed and node != source:
                continue
            for following in self.successors[node]:
                if following not in previous:
                    previous[following] = node
                    queue.append(following)
        return []
