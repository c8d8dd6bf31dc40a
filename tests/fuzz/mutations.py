"""Damage: texts and bytes, changed at random places in ways that hurt programs."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

SCALARS = (
    ".inf", "-.inf", ".nan", "1e19", "-1e19", "1e308", "1e-308", "1e400", "0", "-0.0", "-1", "1.5",
    "9223372036854775808", "1" + "0" * 5000, "10^10^10", "2^-1074", "1/0", "0/0", "sqrt(-1)", "1 s",
    "1 furlong", "m^1000", "1e5 m^99", "true", "no", "~", "''", "'a'", "[]", "[[]]", "{}", "{a: 1}",
    "[1, [2, 3]]", "[1, 'a', ~]", "[1, 2, 3]", "2024-01-01", "0x1F", "0o17", "1_000", "12:30:45",
    "!!python/object/apply:os.getcwd []", "!!binary aGVsbG8=", "!custom 1", "&a [*a]", "*missing",
    "<<", "'\\0'", '"\\e[31m"', '"\\u202e"', "../../../etc/passwd", "/dev/zero", "a" * 3000,
    "__import__('os')", "().__class__", "lambda: 0", "x if y else z", "t", "u", "self", "a.b.c",
)  # fmt: skip
CHARACTERS = "\0\t\r\n\x0b\x1b\x7f\x85\u2028\u202e\ufeff\ud7ff\uffff😀é:,-[]{}#&*!|>'\"%@`~^ "
VALUE = re.compile(r"(?<=[:,\[] )[^\s,\[\]{}#][^,\[\]{}#\n]*")
WORD = re.compile(r"\w+")
LONGEST = 200_000


def _other_value(random: Random, text: str) -> str:
    return _replace_match(random, text, VALUE, random.choice(SCALARS))


def _other_word(random: Random, text: str) -> str:
    words = WORD.findall(text) or ["x"]
    return _replace_match(random, text, WORD, random.choice((*SCALARS, *words)))


def _replace_match(random: Random, text: str, pattern: re.Pattern[str], by: str) -> str:
    matches = list(pattern.finditer(text))
    if not matches:
        return text + by
    match = random.choice(matches)
    return text[: match.start()] + by + text[match.end() :]


def _changed_lines(random: Random, text: str) -> str:
    lines = text.split("\n")
    i, j = random.randrange(len(lines)), random.randrange(len(lines))
    match random.randrange(6):
        case 0:
            del lines[i]
        case 1:
            lines.insert(j, lines[i])
        case 2:
            lines[i], lines[j] = lines[j], lines[i]
        case 3:
            lines[i] = " " * random.randrange(9) + lines[i].lstrip()
        case 4:
            lines[i] = lines[i] * random.choice((2, 50))
        case _:
            lines[i] += random.choice(SCALARS)
    return "\n".join(lines)


def _character(random: Random, text: str) -> str:
    i = random.randrange(len(text) + 1)
    return text[:i] + random.choice(CHARACTERS) * random.choice((1, 1, 3)) + text[i:]


def _cut(random: Random, text: str) -> str:
    i, j = sorted((random.randrange(len(text) + 1), random.randrange(len(text) + 1)))
    return random.choice((text[:i], text[j:], text[:i] + text[j:], text[:j] + text[i:]))


def _nest(random: Random, text: str) -> str:
    depth = random.choice((3, 30, 3000))
    opened, closed = random.choice((("[", "]"), ("{a: ", "}"), ("(", ")"), ("-", ""), ("- ", "")))
    return _replace_match(random, text, VALUE, opened * depth + "1" + closed * depth)


def _anchors(random: Random, text: str) -> str:
    """Aliases of aliases: small as a text, huge when written out."""
    lines = ["a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 12)]
    return "\n".join(lines) + "\n" + _replace_match(random, text, VALUE, "*a11")


TEXT_MUTATIONS: tuple[Callable[[Random, str], str], ...] = (
    *(_other_value,) * 6, *(_other_word,) * 4, *(_changed_lines,) * 4, *(_character,) * 2,
    _cut, _nest, _anchors,
)  # fmt: skip


def damaged_text(random: Random, text: str) -> str:
    """The text with one to five changes."""
    for _ in range(random.choice((1, 1, 1, 2, 3, 5))):
        text = random.choice(TEXT_MUTATIONS)(random, text)[:LONGEST]
    return text


def damaged_bytes(random: Random, content: bytes) -> bytes:
    """The bytes with flipped bits, a part lost, repeated or zeroed, or nothing at all."""
    data = bytearray(content)
    match random.randrange(6):
        case 0:
            return b""
        case 1:
            return bytes(data[: random.randrange(len(data) + 1)])
        case 2:
            i = random.randrange(len(data))
            data[i : i + random.choice((1, 8, 512))] = b"\0" * random.choice((1, 8, 512))
        case 3:
            i = random.randrange(len(data))
            data[i:i] = data[: random.choice((1, 64, 4096))]
        case _:
            for _ in range(random.choice((1, 1, 4, 64))):
                data[random.randrange(len(data))] ^= 1 << random.randrange(8)
    return bytes(data)


def flipped_bit(random: Random, content: bytes) -> bytes:
    data = bytearray(content)
    data[random.randrange(len(data))] ^= 1 << random.randrange(8)
    return bytes(data)
