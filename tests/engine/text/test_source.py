"""Strict YAML: places, plain words for what is wrong, and no way to bring the reader down."""

import os

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from railblocks.engine.errors import DiagramError, Position
from railblocks.engine.text.files import LARGEST_SIZE, file_text
from railblocks.engine.text.source import (
    LARGEST_DEPTH,
    Mapping,
    Scalar,
    Sequence,
    read_text,
)


def messages(text, file="f.yaml"):
    with pytest.raises(DiagramError) as caught:
        read_text(text, file)
    return [str(problem) for problem in caught.value.problems]


def test_every_node_knows_its_place():
    root = read_text("a: 1\nb:\n  - x\n  - {c: 'd'}\n", "f.yaml")
    assert root.entries["a"].node == Scalar(1, "1", False, Position("f.yaml", 1, 4))
    assert root.entries["a"].node.position == Position("f.yaml", 1, 4)
    items = root.entries["b"].node
    assert isinstance(items, Sequence)
    assert root.entries["b"].key_position == Position("f.yaml", 2, 1)
    assert items.items[0].position == Position("f.yaml", 3, 5)
    inner = items.items[1]
    assert isinstance(inner, Mapping)
    assert inner.entries["c"].key_position == Position("f.yaml", 4, 6)
    quoted = inner.entries["c"].node
    assert (quoted.value, quoted.quoted, quoted.position.column) == ("d", True, 9)


def test_both_parsers_of_pyyaml_give_the_same_tree_and_places(monkeypatch):
    text = "# é\na: [1, {b: 'x'}, ]\nc: |\n  two\n  lines\n\nd:\n- e: 1\n  f:\n-  g # h\ni: ~\n"
    fast = read_text(text, "f")
    monkeypatch.setattr("railblocks.engine.text.source._Loader", yaml.SafeLoader)
    slow = read_text(text, "f")
    assert fast == slow
    assert repr(fast) == repr(slow)


def test_columns_count_characters_not_bytes():
    root = read_text("é: {µ: 1}\n", "f")
    assert root.entries["é"].node.entries["µ"].node.position == Position("f", 1, 8)


def test_windows_line_ends_and_a_byte_order_mark_are_read():
    root = read_text("\ufeffa: 1\r\nb: 2\r\n", "f")
    assert root.entries["b"].node.position == Position("f", 2, 4)
    assert root.entries["b"].node.value == 2


def test_nodes_are_equal_wherever_they_stand():
    assert read_text("a: [1, 'x']", "f") == read_text("# hm\na:\n  - 1\n  - x\n", "g")
    assert read_text("a: '1'", "f") != read_text("a: 1", "f")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1\nb: 2\na: 3\n", "f.yaml:3:1: key 'a' appears twice (first in line 1); keep one"),
        ("a: &x 1", "f.yaml:1:4: '&x' is an anchor; anchors are not used, remove it"),
        ("a: *x", "f.yaml:1:4: '*x' is an alias; aliases are not used, write the value out"),
        ("a: !!str 1", "f.yaml:1:4: '!!str' is a tag; tags are not used, remove it"),
        ("a: !x {b: 1}", "f.yaml:1:4: '!x' is a tag; tags are not used, remove it"),
        (
            "a: 1\n---\nb: 2\n",
            "f.yaml:2:1: a second document starts here; one file holds one document, remove `---`",
        ),
        ("1: x", "f.yaml:1:1: the key is 1; expected text, or quote it"),
        ("true: x", "f.yaml:1:1: the key is true; expected text, or quote it"),
        ("? [a]\n: x", "f.yaml:1:3: the key is a list; expected text, or quote it"),
        ("~: x", "f.yaml:1:1: the key is empty; expected text, or quote it"),
        ("%YAML 1.1\n---\na: 1", "f.yaml:1:1: directives (%...) are not used; remove them"),
        ("a: 1e999", "f.yaml:1:4: '1e999' is too large for a number; the largest is 1.8e308"),
        ("", "f.yaml:1:1: the text is empty; expected `key: value` lines"),
        ("# only\n", "f.yaml:1:1: the text is empty; expected `key: value` lines"),
        ("- a", "f.yaml:1:1: the text is a list; expected `key: value` lines"),
        ("hello", "f.yaml:1:1: the text is 'hello'; expected `key: value` lines"),
        ("a: 1\n\tb: 2", "f.yaml:2:1: there is a tab here; use spaces"),
        ("a:\t1", "f.yaml:1:3: there is a tab here; use spaces"),
        ("a: x\u2028y", "f.yaml:1:5: character U+2028 is not allowed; remove it"),
        ("a: \x00", "f.yaml:1:4: character U+0000 is not allowed; remove it"),
        ("a: 1\nb: \x07", "f.yaml:2:4: character U+0007 is not allowed; remove it"),
        ("a: \ud800", "f.yaml:1:4: character U+D800 is not allowed; remove it"),
        ("a: 1\rb: 2", "f.yaml:1:5: character U+000D is not allowed; remove it"),
    ],
)
def test_what_is_not_used_is_refused_with_place_and_remedy(text, message):
    assert messages(text) == [message]


@pytest.mark.parametrize(
    ("text", "start", "word"),
    [
        ("a: b: c", "f.yaml:1:5", "quote text that contains ': '"),
        ("a: x\n b: 3", "f.yaml:2:3", "check the indentation"),
        ("a: [1, 2", "f.yaml:2:1", "a '[' is not closed"),
        ("a: {b: 1 c: 2}", "f.yaml:1:11", "expected ',' or '}'"),
        ('a: "x', "f.yaml:1:6", "close the quotes"),
        ("a: 'x' y", "f.yaml:1:8", "expected `key: value` here"),
        ("a:\n- a\nb", "f.yaml:4:1", "a key without ':'"),
        ("a: %x", "f.yaml:1:4", "'%' cannot start a value; quote the text"),
        ("a: @x", "f.yaml:1:4", "'@' cannot start a value; quote the text"),
        ('a: "\\q"', "f.yaml:1:5", "unknown escape"),
        ("a: |x", "f.yaml:1:5", "the text starts on the next line"),
        ("a: }", "f.yaml:1:4", "a value is missing here"),
        ("a: - b", "f.yaml:1:4", "a list item '- ' cannot start here"),
        ("- a\nb: 3", "f.yaml:2:1", "expected a list item '- ' here"),
        ("a: [x.y[0]]", "f.yaml:1:8", 'quote it, as in "rig.omega[0]"'),
        ("a: {\n\n  b: 1\n", "f.yaml:4:1", "(it started in line 1)"),
    ],
)
def test_syntax_errors_say_where_and_what_to_do(text, start, word):
    (message,) = messages(text)
    assert message.startswith(start + ": ")
    assert word in message


def test_tabs_in_comments_are_nobodys_business():
    assert read_text("a: 1 #\tx\n#\ty\nb: x#y\n", "f").entries["b"].node.value == "x#y"
    assert messages("a: x#\ty") == ["f.yaml:1:6: there is a tab here; use spaces"]


def test_all_problems_are_reported_at_once():
    assert len(messages("a: &x 1\nb: !t 2\na: 3\nc: 1e999\n")) == 4


def test_problems_found_before_a_syntax_error_are_kept():
    mistakes = messages("a: &x 1\nb: [\n")
    assert len(mistakes) == 2
    assert "anchor" in mistakes[0]


@pytest.mark.parametrize(
    ("start", "opening"), [("a: ", "["), ("a: ", "{a: "), ("a:\n", "- "), ("a:\n", "? ")]
)
def test_deep_nesting_is_refused_without_recursion(start, opening):
    (message,) = messages(start + opening * 200_000)
    assert f"nested deeper than {LARGEST_DEPTH}" in message


def test_depth_up_to_the_limit_is_read():
    depth = LARGEST_DEPTH - 1
    node = read_text("a: " + "[" * depth + "1" + "]" * depth, "f").entries["a"].node
    for _ in range(depth):
        (node,) = node.items
    assert node.value == 1


def test_a_text_beyond_16_mib_is_refused():
    assert messages("a: " + "x" * LARGEST_SIZE) == [
        f"f.yaml: {LARGEST_SIZE + 3} bytes are too many; the largest file is "
        f"{LARGEST_SIZE} bytes (16 MiB)"
    ]


def test_too_many_values_are_refused(monkeypatch):
    monkeypatch.setattr("railblocks.engine.text.source.LARGEST_COUNT", 1000)
    assert messages("a: [" + "1, " * 2000 + "1]") == [
        "f.yaml:1:3002: more than 1000 values; split the file"
    ]


def test_thousands_of_problems_are_cut_short():
    assert len(messages("a: 1\n" * 5000)) == 100


def test_files_that_cannot_be_read_are_named(tmp_path):
    missing = tmp_path / "none.yaml"
    with pytest.raises(DiagramError, match=r"none.yaml: there is no such file; check the path"):
        file_text(missing)
    with pytest.raises(DiagramError, match="is a folder; expected a YAML file"):
        file_text(tmp_path)
    with pytest.raises(DiagramError, match="is not a regular file"):
        file_text("/dev/null")
    with pytest.raises(DiagramError, match="cannot be read"):
        file_text("a\0b")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(DiagramError, match="is not a regular file"):
        file_text(pipe)


def test_bytes_that_are_no_utf_8_have_a_place(tmp_path):
    path = tmp_path / "latin.yaml"
    path.write_bytes(b"a: 1\nb: \xe9\n")
    with pytest.raises(DiagramError) as caught:
        file_text(path)
    assert str(caught.value) == f"{path}:2:4: byte 0xe9 is not UTF-8; save the file as UTF-8"


def test_a_sparse_file_beyond_the_limit_is_not_read(tmp_path):
    path = tmp_path / "huge.yaml"
    with open(path, "wb") as file:
        file.truncate(LARGEST_SIZE + 1)
    with pytest.raises(DiagramError, match="bytes are too many"):
        file_text(path)


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=60) | st.text("ab:- \n{}[],'\"|>&*!#?%\\\t1.", max_size=60))
def test_any_text_gives_a_tree_or_problems_with_places(text):
    positions = []
    try:
        assert isinstance(read_text(text, "f"), Mapping)
    except DiagramError as error:
        positions = [problem.position.file for problem in error.problems]
    assert set(positions) <= {"f"}
