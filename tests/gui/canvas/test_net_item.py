"""Wires on the canvas."""

import os

VECTORS = """diagram: 1
blocks:
  v: {type: sources.constant, value: [1, 2, 3]}
  s: {type: sources.constant, value: 4}
  sub:
    subsystem:
      inputs: {vector: [twice.u, deeper.u], scalar: once.u, part: "first.u"}
      outputs: {y: twice.y}
      blocks:
        twice: {type: math.gain, k: 2}
        once: {type: math.gain, k: 1}
        first: {type: math.gain, k: 1}
        deeper:
          subsystem:
            inputs: {u: g.u}
            outputs: {y: g.y}
            blocks: {g: {type: math.gain, k: 3}}
wires:
  - v -> sub.vector
  - s -> sub.scalar
  - v[0] -> sub.part
"""


def test_vector_wires_are_wide_inside_subsystems_too(window, hand, tmp_path):
    file = tmp_path / "vectors.yaml"
    file.write_text(VECTORS)
    assert window.editor.files.open(os.fspath(file))
    hand.settle()
    assert not window.editor.problems.problems
    wide = lambda: {source[0]: net.net.wide for source, net in hand.scene.nets.items()}  # noqa: E731
    assert wide() == {"v": True, "s": False}
    window.editor.canvas.enter(("sub",))
    assert wide() == {"<vector": True, "<scalar": False, "<part": False, "twice": True}
    window.editor.canvas.enter(("sub", "deeper"))
    assert wide() == {"<u": True, "g": True}
