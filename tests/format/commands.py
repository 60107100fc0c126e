#!/usr/bin/env python3
"""Checks that programs called by the project's scripts come with Debian's required packages or with cmake/packages.txt.

commands.py ROOT

A word is a call if it is where a command can be, and this machine has a program of that name from a Debian package.
Programs that a script looks for itself (command -v, type -P) are left to it. Exit code 77: skipped, this is not Debian.
"""

import os
import re
import shutil
import subprocess
import sys

CALL = re.compile(r"(?:^|[|;&(`]|\b(?:if|then|else|do|while|until|xargs|exec|setsid|sudo|nice|env|timeout(?: -k \S+)? \S+)\s|! )[ \t]*"
                  r"(?:[A-Za-z_]\w*=\S* )*([a-z][\w.+-]*)(?=[\s;|&)<>]|$)(?!\s*[(=])", re.M)


def packages_of(root):
    """Returns the names in cmake/packages.txt: required ones, and all."""
    with open(os.path.join(root, "cmake/packages.txt"), encoding="utf-8") as file:
        text = file.read()
    sections = re.findall(r"^# ([\w ]+): (required|optional)[^\n]*\n(.*?)(?:\n\n|\Z)", text, re.M | re.S)
    names = lambda kinds: {name for _, kind, body in sections if kind in kinds for name in body.split()}
    return [names(("required",)), names(("required", "optional"))]


def needed_with(names):
    """Returns these packages and Debian's minimal system, with all their dependencies."""
    fields = "-f=${Package}|${Provides}|${Pre-Depends},${Depends}|${Essential}|${Priority}\\n"
    shown = subprocess.run(["dpkg-query", "-W", fields], capture_output=True, text=True, check=True).stdout
    needs, left = {}, set(names)
    for line in shown.replace(" | ", ";").splitlines():  # of alternatives, apt uses the first one
        name, provides, depends, essential, priority = line.split("|")
        split = lambda text: {re.sub(r"[ (:;].*", "", each.strip()) for each in text.split(",")} - {""}
        needs.setdefault(name, set()).update(split(depends))
        for other in split(provides):
            needs.setdefault(other, set()).add(name)
        if essential == "yes" or priority == "required":
            left.add(name)
    found = set()
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left |= needs.get(name, set())
    return found


def script_of(path):
    """Returns the text of a script, or of the commands of a page that the tests run everywhere; without
    comments, here-documents and single-quoted text."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if path.endswith(".md"):
        blocks = re.findall(r"^([ \t]*<!--[^\n]*\n)?[ \t]*```sh[ \t]*\n(.*?)^[ \t]*```", text, re.M | re.S)
        text = "".join(each for mark, each in blocks if "run by the tests" not in mark)
    text = re.sub(r"<<-?\s*['\"]?(\w+)['\"]?(.*?\n).*?^\s*\1$", r"\2", text, flags=re.M | re.S)
    text = re.sub(r"^\s*#.*", "", text, flags=re.M)
    return re.sub(r"(?<=[\s=(])'[^']*'", "''", text)


def owner(program):
    """Returns the Debian package of a program, None without one."""
    path = shutil.which(program)
    for place in (path, os.path.realpath(path)) if path else ():
        for each in (place, place.removeprefix("/usr")):
            answer = subprocess.run(["dpkg-query", "-S", each], capture_output=True, text=True)
            if answer.returncode == 0:
                return re.split("[:,]", answer.stdout.splitlines()[-1])[0]
    return None


def main():
    root = sys.argv[1]
    if not shutil.which("dpkg-query"):
        print("skipped: no dpkg, so no owners of programs")
        return 77
    needed, listed = packages_of(root)
    allowed = needed_with(needed) | listed
    builtins = set(subprocess.run(["bash", "-c", "compgen -b -k"], capture_output=True, text=True, check=True).stdout.split())
    owners, failed, scripts = {}, False, 0
    for folder, folders, names in os.walk(root):
        folders[:] = [each for each in folders if each not in ("build", ".git", "results")]
        for path in (os.path.join(folder, name) for name in names if name.endswith((".sh", ".md"))):
            text = script_of(path)
            scripts += 1
            looked_for = set(re.findall(r"(?:command -v|type -P) ([\w.+-]+)", text))
            for name in sorted(set(CALL.findall(text)) - looked_for - builtins):
                if name in ("mpirun", "mpiexec", "mpicc", "mpicxx"):  # they belong to the MPI of this PETSc
                    continue
                if name not in owners:
                    owners[name] = owner(name)
                if owners[name] and owners[name] not in allowed:
                    failed = True
                    print(f"error: {os.path.relpath(path, root)} calls {name} of the package {owners[name]}: "
                          "neither required in Debian nor in cmake/packages.txt")
    known = sorted(name for name in owners if owners[name])
    print(f"{scripts} scripts and pages call {len(known)} programs of Debian's packages: {' '.join(known)}")
    return 1 if failed or len(known) < 10 else 0


sys.exit(main())
