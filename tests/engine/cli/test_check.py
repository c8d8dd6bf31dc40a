"""`railblocks check`: all mistakes at once, or what a diagram consists of."""

LOOP = """\
diagram: 1
blocks:
  one:   {type: sources.constant, value: 1}
  sum:   {type: math.sum, signs: "+-"}
  gain:  {type: math.gain, k: 3}
  hold:  {type: discrete.zero_order_hold, every: 10 ms}
  late:  {type: discrete.unit_delay, every: 20 ms, offset: 5 ms}
wires: [one -> sum.u1, sum -> gain -> sum.u2, gain -> hold, gain -> late]
"""


def test_a_good_diagram_is_counted(folder, call):
    done = call("check", "mass.yaml")
    assert (done.code, done.out) == (0, "ok: 2 blocks, 2 wires, 2 states\n")


def test_loops_and_sample_rates_are_listed(folder, call):
    (folder / "loop.yaml").write_text(LOOP)
    lines = call("check", "loop.yaml").out.splitlines()
    assert lines[0] == "ok: 5 blocks, 5 wires, 0 states"
    start, _, chain = lines[1].partition(": ")
    assert start == "  algebraic loop"
    assert set(chain.split(" -> ")) == {"sum.y", "gain.u", "gain.y", "sum.u2"}
    assert lines[2:] == [
        "  sample rate: every 0.01 s",
        "  sample rate: every 0.02 s, offset 0.005 s",
    ]


def test_facts_come_as_json(folder, call):
    (folder / "loop.yaml").write_text(LOOP)
    data = call("check", "loop.yaml", "--json").data()
    assert data["ok"]
    assert len(data["algebraic_loops"]) == 1
    assert data["sample_rates"][1] == {
        "period": 0.02,
        "offset": 0.005,
        "period_text": "0.02 s",
        "offset_text": "0.005 s",
    }


def test_sample_times_are_told_exactly(folder, call):
    (folder / "rates.yaml").write_text(
        "diagram: 1\nparameters: {T: 0.7 ms}\nblocks:\n"
        "  a: {type: sources.uniform_noise, seed: 1, every: 3 * T}\n"
        "  b: {type: discrete.zero_order_hold, every: T / 3, offset: 1.0000001 s}\n"
        "wires: [a -> b]\n"
    )
    output = call("check", "rates.yaml").out
    assert "every 0.0021 s\n" in output
    assert "every 7/30000 s, offset 1.0000001 s" in output


def test_all_mistakes_are_told_with_their_places(folder, call):
    (folder / "bad.yaml").write_text(LOOP.replace("k: 3", "q: 3").replace("10 ms", "10 m"))
    done = call("check", "bad.yaml")
    assert done.code == 2
    assert "bad.yaml:5:" in done.err
    assert "bad.yaml:6:" in done.err
    problems = call("check", "bad.yaml", "--json").data()["problems"]
    assert {problem["line"] for problem in problems} >= {5, 6}
    assert {problem["file"] for problem in problems} == {"bad.yaml"}


def test_several_files_are_checked_and_one_bad_one_counts(folder, call):
    (folder / "bad.yaml").write_text("diagram: 1\nblocks: 3\n")
    done = call("check", "mass.yaml", "bad.yaml", "none.yaml")
    assert done.code == 2
    assert done.out == "mass.yaml: ok: 2 blocks, 2 wires, 2 states\n"
    assert "bad.yaml:2:9" in done.err
    assert "none.yaml: there is no such file" in done.err


def test_values_can_be_tried(folder, call):
    assert call("check", "mass.yaml", "--set", "body.m=2 kg").code == 0
    assert call("check", "mass.yaml", "--set", "body.m=-2 kg").code == 2
