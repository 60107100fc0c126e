#!/usr/bin/env python3
"""Checks the English of comments, docstrings, messages and pages by counting phrases that are hard to read.

words.py ROOT

A phrase fails if it occurs more than twice in a group of tracked files, and more often than its limit per 10,000 words.
The limits are about twice the highest rate in the headers of deal.II, DOLFINx, PETSc and SUNDIALS, and 0.5 or more.
Prints every place of a phrase that fails. Exit code 77: skipped, not a git checkout.
"""

import io
import re
import subprocess
import sys
import tokenize
from collections import Counter, defaultdict
from pathlib import Path

START = r"(?:^|[.;:!?] )"
# Limit per 10,000 words, phrase, better words.
PHRASES = [
    # Fragments, and clauses in the place of a noun
    (0.5, START + r"(?:Of\b(?! course)|(?:Th(?:at|ose)|The ones?) (?:of|in|on|at|by|with|which|whose)\b)", "the noun"),
    (0.6, START + r"(?:What|Who|Whose|Whoever|Whatever|Whether)\b(?![^.]*[?])", "the noun; returns true if"),
    (0.8, START + r"The same\b(?! [a-z]+ (?:is|are|as)\b)", "what it does"),
    (4.6, r"\bwhat (?:is|are|was|were|it|they|the|an?|this|that|each|we|one|else|ha[sd]|have|does|do|did)\b", "a noun"),
    (1.4, r"\b(?:is|are|was|were) what\b|\bof what\b|\bas what\b", "a noun"),
    (2.0, r"\bas (?:of|those?(?: of)?|that of|its|he|has|are|if they)\b", "like, as in, as if it were"),
    (1.6, r"\b(?:the|like|than|into|with) ones? (?:of|that|which|whose|who)\b", "repeat the noun"),
    (2.0, r", (?:of|at|in|for|to|on|by|with|from) (?:which|whom|whose)\b(?! you)", "a second sentence"),
    (3.4, r"\bwhere (?:it|they|there|that|this|one|nothing|no|none)\b", "if, when, for which"),
    # Negations
    (6.0, r"\b(?:is|are|was|were|be) (?:no|none)\b(?! (?:longer|more|less|other)\b)", "is not"),
    (0.6, r"\bnone of\b|\bnone (?:is|are|has|have)\b", "not, no"),
    (1.2, r"^(?!.*\bneither\b).*\bnor\b", "and not, or"),
    (0.6, r"\b(?:nobody|somebody|everybody|whoever|for nothing|in vain|without end|be it)\b", "the plain statement"),
    # Adverbs and prepositions of another age or language
    (0.8, r"\b(?:anew|likewise|beside|there(?:of|in|from)|[wt]hence|where(?:in|of)|lest)\b", "again, also, next to"),
    (0.5, r"\b(?:in|into) the place of\b|\b(?:takes?|took|taking|in) (?:its|their|the) place\b", "instead of"),
    (0.5, r"\b(?:out of|on|by) the way\b|\bin turns\b|\bone after (?:the|an)other\b", "removed, in order"),
    (0.8, r"\b(?:its|their) own\b(?= *(?:[.,;:)]|$))|\bof (?:its|their|one's) own\b|\bown ones?\b", "its own ..."),
    (4.4, r"\b(?:so|as|how) (?:many|much)\b", "the number of, the amount of"),
    (5.4, r"\bat (?:the )?(?:most|least)\b|\bthe (?:most|least) (?:that|which)\b", "up to, minimum, or more"),
    (0.5, r"(?<!let )(?<!leave )\balone\b|\bdear(?:er|est)?\b|(?<!for )\bever\b", "only; expensive; always"),
    # Verbs
    (1.2, r"\b(?:tell|tells|told|telling)\b(?! apart)", "report, print, return, show"),
    (1.6, r"\b(?:go|goes|going|went|gone) (?:on|aside|by|over|through|back)\b", "continue, is moved, is based on"),
    (0.8, r"\b(?:mend|heed|witness|wish|bid|lend)(?:s|ed|es|ing)?\b", "fix, obey, show, want"),
    (1.6, r"\b(?:announce|ask back|speak|spoken|promise|believe|forget|hope)(?:s|d|es|ing)?\b", "the plain verb"),
    (0.5, r"\b(?:know|see|want|feel|notice)s (?:nothing|no|of|about|its|the|them|it|only|all)\b", "has, reads"),
    (0.5, r"\bstand(?:s|ing)? (?:in|for|at|still|there|before|after|by)\b|\bstood\b", "is, contains, represents"),
    (0.5, r"\bha(?:s|ve) the (?:word|say)\b|\bcounts? for nothing\b|\b(?:do|does|gets?) without\b", "decides"),
    # Home-made words that have a term in the field
    (0.5, r"\b(?:a number that is none|no number|keys? that (?:nobody|no one)|misspelt)\b", "NaN; unknown option"),
    (0.5, r"\b(?:ledger|footprint|journey|load step's part)s?\b", "energy balance, memory estimate, increment"),
    (0.5, r"\b(?:lysmer dashpot|shaken base|held entr(?:y|ie)|rough time)s?\b", "absorbing boundary ..."),
    (0.5, r"\b(?:eliminated pressure|law in two part)s?\b", "static condensation, isochoric-volumetric split"),
    (0.5, r"\b(?:door|(?<!make )room|household|(?:dead|killed) run)s?\b(?! for\b)", "interface, folder, crashed run"),
]


def c_texts(text):
    """Yields (kind, line, text) of comments and string literals of C, C++ and Gmsh geometry."""
    token = r'R"([^(\s]*)\(.*?\)\1"|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\'|//[^\n]*|/\*.*?\*/|#[ \t]*include[^\n]*'
    end = 0
    for match in re.finditer(token, text, re.S):
        line = text.count("\n", 0, match.start()) + 1
        if text[end:match.start()].strip():
            yield "code", line, ""
        kind = {"/": "comments", "#": "code", "'": "code"}.get(match[0][0], "messages")
        yield kind, line, match[0].replace("\\n", " ").strip('"')
        end = match.end()


def python_texts(text):
    """Yields (kind, line, text) of comments, docstrings and other strings of Python."""
    first = True
    for each in tokenize.generate_tokens(io.StringIO(text).readline):
        if each.type in (tokenize.COMMENT, tokenize.STRING):
            kind = "comments" if first or each.type == tokenize.COMMENT else "messages"
            yield kind, each.start[0], re.sub(r"^\w*[\"']+|[\"']+$", "", each.string)
        if each.type not in (tokenize.COMMENT, tokenize.NL):
            first = each.type in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)


def line_texts(text):
    """Yields (kind, line, text) of comments from # or ! to the end of the line, in scripts and in Fortran."""
    for match in re.finditer(r"(?:^|(?<=\s))[#!]+(?=[\s<])[^\n]*", text, re.M):
        yield "comments", text.count("\n", 0, match.start()) + 1, match[0]


def page_texts(text):
    """Yields (kind, line, text) of a Markdown page without code; cells, headings and items are separate paragraphs."""
    code = r"^[ \t]*```.*?^[ \t]*```|`[^`]*`|\]\([^)]*\)|<!--|-->"
    text = re.sub(code, lambda match: "code" + match[0].count("\n") * "\n", text, flags=re.S | re.M)
    for number, line in enumerate(text.split("\n"), 1):
        for each in re.split(r"([|]|^\s*[-*#>]+\s)", line):
            yield "pages", number, each


def paragraphs(texts):
    """Joins consecutive lines of one kind; yields (kind, [(offset, line)], paragraph)."""
    kind, last, starts, whole = "", 0, [], ""
    for new, first, text in [*texts, ("", 0, "")]:
        for line, part in enumerate(text.split("\n"), first):
            part = part.strip(" \t/*!<#->|")
            if new != kind or line > last + 1 or not part:
                yield kind, starts, whole
                starts, whole = [], ""
            kind, last = new, line
            starts.append((len(whole), line))
            whole += part + ("" if new == "messages" else " ")


READERS = [(r"\.(?:h|hpp|c|cpp|geo)(?:\.in)?$", c_texts), (r"\.py(?:\.in)?$", python_texts), (r"\.md$", page_texts),
           (r"\.(?:sh|cmake|ya?ml|awk|gp|F90)$|CMakeLists\.txt$|packages\.txt$", line_texts)]


def main():
    root = Path(sys.argv[1])
    listed = subprocess.run("git ls-files", shell=True, cwd=root, capture_output=True, text=True)
    if listed.returncode:
        print("skipped: not a git checkout, no list of files")
        return 77
    words, places, failed = Counter(), defaultdict(list), 0
    for path in listed.stdout.split("\n"):
        reader = next((reader for ending, reader in READERS if re.search(ending, path)), None)
        if not reader or path == "tests/format/words.py":
            continue
        top = path.split("/")[0]
        for kind, starts, text in paragraphs(reader((root / path).read_text(encoding="utf-8", errors="replace"))):
            group = {"include": "headers", "src": "sources"}.get(top, "tests") if kind == "comments" else kind
            if kind == "code" or kind == "messages" and top in ("tests", "cmake"):  # patterns and data of tests
                continue
            words[group] += len(re.findall(r"[A-Za-z']+", text))
            for number, (_, phrase, _) in enumerate(PHRASES):
                for match in re.finditer(phrase, text):
                    line = [line for offset, line in starts if offset <= match.start()][-1]
                    places[group, number].append(f"{path}:{line}: {text[max(0, match.start() - 40):match.end() + 40]}")
    for (group, number), found in sorted(places.items()):
        limit, phrase, better = PHRASES[number]
        if len(found) > max(2, limit * words[group] / 1e4):
            failed += 1
            print(f"error: {group}: {len(found)} times {phrase}: write {better}", *found, sep="\n  ")
    print(f"{sum(words.values())} words, {len(PHRASES)} phrases, {failed} above their limits")
    return 1 if failed or not words["headers"] else 0


sys.exit(main())
