"""Copies of a subsystem take their shares of vectors, as if they were written one by one."""

import textwrap

import numpy as np
import pytest
from railblocks import DiagramError, check, loads, simulate
from railblocks.engine.diagram.copies import ShareError, chosen_copies, paired, part_of

LAG = """\
{inputs: {u: lag.u}, outputs: {y: lag.y}, parameters: {T: 1 s, k: 1}, blocks: {
        lag: {type: continuous.first_order_lag, T: T, k: k}}}"""


def diagram(blocks, wires, signals="all", parameters="{}", stop="1 s"):
    listed = signals if signals == "all" else "[" + ", ".join(f"'{s}'" for s in signals) + "]"
    text = f"diagram: 1\nparameters: {parameters}\nblocks:\n{textwrap.indent(blocks, '  ')}\n"
    text += "wires:\n" + "".join(f"  - '{wire}'\n" for wire in wires)
    return loads(text + f"solver: {{stop: {stop}}}\nlog: {{signals: {listed}, every: 100 ms}}\n")


def messages(*arguments, **options):
    with pytest.raises(DiagramError) as caught:
        check(diagram(*arguments, **options))
    return [problem.message for problem in caught.value.problems]


SOURCE = "push: {type: sources.constant, value: [1, 2, 3]}\n"


def test_each_copy_takes_its_element_and_its_parameters():
    run = simulate(
        diagram(
            SOURCE + "lags: {each: n, T: {each: times}, k: index + 1, subsystem: " + LAG + "}",
            ["push -> lags"],
            ["lags.y"],
            parameters="{n: 3, times: [0.1 s, 0.2 s, 0.4 s]}",
        )
    )
    T, u = np.array([0.1, 0.2, 0.4]), np.array([1.0, 2.0, 3.0])
    for k in range(3):
        closed = (k + 1) * u[k] * (1.0 - np.exp(-run.time / T[k]))
        assert run[f"lags[{k}].lag.y"] == pytest.approx(closed, abs=1e-5)


def test_copies_have_the_bits_of_subsystems_written_one_by_one():
    repeated = diagram(
        SOURCE + "lags: {each: 3, T: 0.1 * (index + 1), subsystem: " + LAG + "}\n"
        "again: {each: 3, k: {each: [2, 3, 4]}, subsystem: " + LAG + "}\nsum: {type: math.norm}",
        ["push -> lags -> again -> sum"],
        ["again.y", "sum.y"],
    )
    written = diagram(
        SOURCE
        + "".join(f"a{k}: {{T: 0.1 * ({k} + 1), subsystem: {LAG}}}\n" for k in range(3))
        + "".join(f"b{k}: {{k: {k + 2}, subsystem: {LAG}}}\n" for k in range(3))
        + "sum: {type: math.norm}",
        [f"push.y[{k}] -> a{k} -> b{k}" for k in range(3)]
        + [f"b{k}.y -> sum.u[{k}]" for k in range(3)],
        [*(f"b{k}.y" for k in range(3)), "sum.y"],
    )  # fmt: skip
    ours, theirs = simulate(repeated), simulate(written)
    assert np.array_equal(ours["sum.y"], theirs["sum.y"])
    for k in range(3):
        assert np.array_equal(ours[f"again[{k}].lag.y"], theirs[f"b{k}.lag.y"])


def test_rows_of_a_matrix_go_to_copies_and_come_back_as_rows():
    rows = "{inputs: {u: g.u}, outputs: {y: g.y}, blocks: {g: {type: math.gain, k: 10}}}"
    run = simulate(
        diagram(
            "m: {type: sources.constant, value: [[1, 2], [3, 4], [5, 6]]}\n"
            f"rows: {{each: 3, subsystem: {rows}}}\nlast: {{type: math.gain}}",
            ["m -> rows -> last"],
            ["last.y", "rows[1].g.y"],
        )
    )
    assert np.array_equal(run["last.y"][0], [[10, 20], [30, 40], [50, 60]])
    assert np.array_equal(run["rows[1].g.y"][0], [30, 40])


def test_a_shared_input_reaches_all_copies_whole():
    inner = "{inputs: {u: s.u1, v: n.u}, outputs: {y: s.y}, wires: [n -> s.u2], blocks: {s: {type: math.sum}, n: {type: math.norm}}}"  # noqa: E501
    run = simulate(
        diagram(
            SOURCE + "two: {type: sources.constant, value: [3, 4]}\n"
            f"sums: {{each: {{count: 3, shared: v}}, subsystem: {inner}}}",
            ["push -> sums.u", "two -> sums.v"],
            ["sums.y"],
        )
    )
    assert [run[f"sums[{k}].s.y"][0] for k in range(3)] == [6.0, 7.0, 8.0]


def test_copies_inside_copies_take_elements_of_rows():
    inner = f"{{inputs: {{u: row.u}}, outputs: {{y: row.y}}, blocks: {{row: {{each: {{count: 2, index: j}}, k: 100 + j, subsystem: {LAG}}}}}}}"  # noqa: E501
    run = simulate(
        diagram(
            "m: {type: sources.constant, value: [[1, 2], [3, 4], [5, 6]]}\n"
            f"rows: {{each: 3, subsystem: {inner}}}\nend: {{type: math.gain}}",
            ["m -> rows -> end"],
            ["end.y", "rows[2].row[1].lag.y", "rows.row.lag.y"],
        )
    )
    assert run["end.y"].shape[1:] == (3, 2)
    assert run["end.y"][-1, 2, 1] == run["rows[2].row[1].lag.y"][-1]
    assert run["rows[2].row[1].lag.y"][-1] == pytest.approx(6 * 101 * (1 - np.exp(-1.0)), rel=1e-5)
    assert len(run.names) == 7


def test_single_copies_and_slices_are_wired_by_their_index():
    run = simulate(
        diagram(
            SOURCE + "one: {type: sources.constant, value: 7}\n"
            f"g: {{each: 3, subsystem: {LAG.replace('continuous.first_order_lag, T: T, k: k', 'math.gain, k: k')}}}\n"  # noqa: E501
            "a: {type: math.gain}\nb: {type: math.gain}",
            ["one -> g.u[2]", "push.y[1:] -> g.u[:2]", "g.y[2] -> a", "g.y[:-1] -> b"],
            ["a.y", "b.y"],
        )
    )
    assert run["a.y"][0] == 7.0
    assert np.array_equal(run["b.y"][0], [2.0, 3.0])


def test_a_loop_around_copies_settles_its_sizes():
    run = simulate(
        diagram(
            "r: {type: sources.constant, value: [1, 2]}\ne: {type: math.sum, signs: +-}\n"
            f"lags: {{each: 2, subsystem: {LAG}}}",
            ["r -> e.u1", "e -> lags", "lags -> e.u2"],
            ["lags.y"],
        )
    )
    assert run["lags[1].lag.y"][-1] == pytest.approx(1.0 - np.exp(-2.0), rel=1e-5)


@pytest.mark.parametrize(
    ("block", "wires", "expected"),
    [
        ("a: {each: 2, subsystem: S}", ["push -> a"], "push.y has 3 elements for 2 copies"),
        ("a: {each: 2.5, subsystem: S}", ["push -> a"], "each of 'a' is 2.5; expected a whole"),
        ("a: {each: 2 m, subsystem: S}", ["push -> a"], "each of 'a' is 2"),
        ("a: {each: 0, subsystem: S}", ["push -> a"], "each of 'a' is 0"),
        ("a: {each: [3], subsystem: S}", ["push -> a"], "each of 'a' is a list; expected `each"),
        ("a: {each: {number: 3}, subsystem: S}", [], "'number' is not a key of each"),
        ("a: {each: {index: k}, subsystem: S}", [], "each of 'a' has no count"),
        ("a: {each: 3, k: {each: [1, 2]}, subsystem: S}", ["push -> a"], "each has 2 values"),
        ("a: {each: 3, k: {each: 5}, subsystem: S}", ["push -> a"], "5 is 5; expected a list"),
        ("a: {each: {count: 3, shared: w}, subsystem: S}", ["push -> a"], "shared 'w' is not"),
        ("a: {each: 3, subsystem: S}", ["push -> a.u[3]"], "[3] of 'a.u' is out of range"),
        ("a: {each: 3, subsystem: S}\nb: {each: 2, subsystem: S}", ["push -> a -> b"],
         "3 copies are wired to 2"),
        ("a: {each: 3, subsystem: S}\nb: {type: math.gain}", ["push -> a", "a[1].y -> b"],
         "'a[1]' is not a block; write `a.y[1]`"),
    ],
)  # fmt: skip
def test_what_does_not_fit_copies_is_named(block, wires, expected):
    found = messages(SOURCE + block.replace("S}", LAG + "}"), wires)
    assert any(expected in message for message in found), found


def test_logs_name_one_copy_or_all_and_refuse_others():
    blocks = SOURCE + f"a: {{each: 3, subsystem: {LAG}}}"
    checked = check(diagram(blocks, ["push -> a"], ["a[1].y", "a.lag.y", "a.u"]))
    outputs = ["a[1].lag.y", "a[0].lag.y", "a[2].lag.y"]
    assert [s.name for s in checked.logged] == [*outputs, *(f"a[{k}].lag.u" for k in range(3))]
    assert messages(blocks, ["push -> a"], ["a[3].y"]) == [
        "'a[3]' is not a copy of a subsystem; there are 3 copies, numbered from 0"
    ]


def test_values_are_set_for_all_copies_at_once():
    blocks = SOURCE + f"a: {{each: 3, k: index, subsystem: {LAG}}}"
    changed = diagram(blocks, ["push -> a"]).with_values({"a.k": "10 + index", "a.lag.T": "0.5 s"})
    instances = check(changed).model.blocks
    assert [instances[f"a[{k}].lag"].values["k"] for k in range(3)] == [10.0, 11.0, 12.0]
    assert instances["a[2].lag"].values["T"] == 0.5


def test_ends_of_wires_share_signals_out():
    assert chosen_copies(None, 2, False).shares == (((0, 2),), ((1, 2),))
    assert chosen_copies((slice(1, 3), 0), 4, False).numbers == (1, 2)
    assert chosen_copies((slice(1, 3), 0), 4, False).rest == (0,)
    assert chosen_copies((0,), 4, True).numbers == (0, 1, 2, 3)
    assert paired(((1, 3),), ((1, 3), (0, 2))) == ((), ((0, 2),))
    assert paired(((1, 3),), ((2, 3),)) is None
    assert part_of(np.arange(6).reshape(2, 3), ((1, 2), (2, 3))) == 5
    with pytest.raises(ShareError, match="6 elements for 2 copies"):
        part_of(np.arange(6), ((0, 2),))
