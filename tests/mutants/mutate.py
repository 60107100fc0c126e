"""One-line mutants of C++ sources: finds lines and their possible changes.

A mutant is written such that the line behaves as before unless MUTANT(number) is true, so that one build has all of
them.
"""
import re
from dataclasses import dataclass

ROOMS = {
    "dynamics": ("src/dynamics", "src/bdf"),
    "ts": ("src/ts",),
    "solid": ("src/solid",),
    "app": ("src/app",),
    "io": ("src/io",),
}


@dataclass(frozen=True)
class Mutant:
    room: str
    file: str
    line: int  # from 0
    kind: str
    usual: str
    text: str  # the line, with {number}

    def describe(self):
        return f"{self.file}:{self.line + 1}: {self.kind}: {self.usual.strip()}"


# Lines that are declarations, or whose loss affects no result: memory, names, log events, prefetches.
NOT_MUTATED = re.compile(r"^\s*(#|//|using |template|friend |case |default:|static_assert|enum |typedef |namespace |constexpr "
                         r"|public:|private:|protected:|\[\[|throw )|\bconstexpr\b|\boperator\b|fetch_ahead")
NO_RESULT = re.compile(r"Destroy|Restore|Free\(|reserve\(|shrink_to_fit|LogEvent|SetName|\bsetw|precision|PetscInfo|Assembl"
                       r"|\bimbue|Setup\(|SetUp\(|ScopedStage")
SYMMETRIC = {"max", "min", "VecDot", "VecTDot", "dot", "hypot", "swap", "equal"}
NO_CALL = {"if", "for", "while", "switch", "sizeof", "return", "catch", "decltype", "check", "alignof", "noexcept", "defined"}


def masked(line):
    """Returns the line with its strings and comments replaced by blanks."""
    out, i, quote = [], 0, ""
    while i < len(line):
        c = line[i]
        if quote:
            if c == "\\":
                out.append("  "[: len(line[i:i + 2])])
                i += 2
                continue
            if c == quote:
                quote = ""
            out.append(" " if quote else c)
        elif line.startswith("//", i):
            out.append(" " * (len(line) - i))
            break
        else:
            if c == '"' or (c == "'" and not (i and line[i - 1].isdigit())):
                quote = c
            out.append(c)
        i += 1
    return "".join(out)


def balanced(text):
    depth = 0
    for c in text:
        depth += (c == "(") - (c == ")")
        if depth < 0:
            return False
    return depth == 0


def put(line, start, end, text):
    return line[:start].replace("{", "{{").replace("}", "}}") + text + line[end:].replace("{", "{{").replace("}", "}}")


def escape(text):
    return text.replace("{", "{{").replace("}", "}}")


def signs(line, shown):
    for m in re.finditer(r"(?<=[\w)\]]) [+-] (?=[\w(])|(?<=[=(,] )-(?=[\w(])|(?<=return )-(?=[\w(])", shown):
        if re.match(r"\s*1\b(?!\.)", shown[m.end():]):
            continue  # an off-by-one mutant
        yield put(line, m.end(), m.end(), "MUTANT_EITHER({number}, 1, -1) * ")


def off_by_one(line, shown):
    for m in re.finditer(r"(?<=[\w)\]]) (<|<=|>|>=) (?=[\w(*])", shown):
        yield put(line, m.end(), m.end(), "MUTANT_EITHER({number}, 0, 1) + ")
    for m in re.finditer(r"(?<=[\w)\]] [+-] )1\b(?![.\w])", shown):
        yield put(line, m.start(), m.end(), "MUTANT_EITHER({number}, 1, 0)")
    for m in re.finditer(r"(?<= = )([01])(?=;.*;)", shown):
        yield put(line, m.start(), m.end(), f"MUTANT_EITHER({{number}}, {m[1]}, {int(m[1]) + 1})")


def dropped(line, shown):
    if NO_RESULT.search(shown):
        return
    m = re.match(r"^(\s+)(((\+\+|--|\*)?[\w.\[\]:]+(->[\w.\[\]]+)*(\([^()]*\))?[\w.\[\]]*(->[\w.]+)* (=|\+=|-=|\*=|/=|\|=|&=) .*)"
                 r"|((\+\+|--)[\w.\[\]]+)|([\w:.\[\]]+(->[\w.]+)*\(.*\)));\s*$", shown)
    if not m or not balanced(m[2]) or re.match(r"\s*(return|delete|throw|else|break|continue|co_)\b", shown):
        return
    end = len(shown.rstrip())
    yield put(line, len(m[1]), end, "{{ if (!MUTANT({number})) " + escape(line[len(m[1]):end]) + " }}")


def conditions(line, shown):
    m = re.search(r"\bif \((?!constexpr)", shown)
    if not m:
        return
    depth, end = 1, m.end()
    while end < len(shown) and depth:
        depth += (shown[end] == "(") - (shown[end] == ")")
        end += 1
    inside = line[m.end():end - 1]
    if depth or ";" in inside or re.search(r"[^=!<>]=[^=]", inside):
        return
    yield put(line, m.end(), end - 1, "MUTANT({number}) != static_cast<bool>(" + escape(inside) + ")")


def arguments(line, shown):
    word = r"[\w.\[\]:]+(?:\(\))?(?:->[\w.]+(?:\(\))?)?"
    for m in re.finditer(rf"(?<![\w.>:])([A-Za-z_][\w.:]*(?:->\w+)?)\(((?:{word}, )*)({word}), ({word})((?:, {word})*)\)", shown):
        name = re.split(r"[.>:]", m[1])[-1]
        if name in NO_CALL or name in SYMMETRIC or m[3] == m[4]:
            continue
        before, after = line[m.start(2):m.end(2)], line[m.start(5):m.end(5)]
        call = escape(line[m.start():m.end()])
        yield put(line, m.start(), m.end(), f"(MUTANT({{number}}) ? {m[1]}({escape(before)}{m[4]}, {m[3]}{escape(after)}) : {call})")


def indices(line, shown):
    for m in re.finditer(r"(?<=[\w)\]]\[)([01])(?=\])", shown):
        yield put(line, m.start(), m.end(), f"MUTANT_EITHER({{number}}, {m[1]}, {1 - int(m[1])})")


def factors(line, shown):
    """Doubles a number; small ones, like tolerances and rounding limits, become 1. Larger buffers are not a fault."""
    if "resize(" in shown:
        return
    number = r"\d+(?:\.\d+)?(?:e-?\d+)?"
    for m in re.finditer(rf"(?<![\w.])({number})(?= [*/] )|(?<= [*/] )({number})(?![\w.])", shown):
        value = m[0]
        wrong = "1.0" if "e-" in value else f"2 * {value}"
        yield put(line, m.start(), m.end(), f"MUTANT_EITHER({{number}}, {value}, {wrong})")


KINDS = {"sign": signs, "off by one": off_by_one, "dropped statement": dropped, "condition": conditions,
         "swapped arguments": arguments, "index": indices, "factor": factors}


def room_of(file):
    return next((room for room, folders in ROOMS.items() if file.startswith(tuple(f + "/" for f in folders))), None)


def of_text(file, text):
    """Returns all mutants of a source, in the order of its lines."""
    room, lines = room_of(file), text.split("\n")
    comment = False
    for at, line in enumerate(lines):
        shown = masked(line)
        if comment or "/*" in shown:
            comment = "*/" not in shown
            continue
        if NOT_MUTATED.search(shown) or shown.rstrip().endswith("\\") or 'R"' in line:
            continue
        before = lines[at - 1].split("//")[0].rstrip() if at else ""
        starts = not before or before.endswith((";", "{", "}", ":", "else")) or before.lstrip().startswith("#") or \
            re.match(r"\s*(if|for|while|} else if) .*\)$", before)
        for kind, change in KINDS.items():
            if kind in ("dropped statement", "condition") and not starts:
                continue
            for text_of_line in change(line, shown):
                yield Mutant(room, file, at, kind, line, text_of_line)
