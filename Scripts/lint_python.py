#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Refuses two faults of Python sources that nothing else tells: an import that is not used, and a function or class that
stands twice at the same level of a module, class or function, as the second one takes the place of the first. `noqa: F401` allows an import. Usage: lint_python.py"""

import ast
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def faults_of(text):
    """The faults of a source, each behind the number of its line."""
    tree, lines = ast.parse(text), text.split("\n")
    used = {each.id for each in ast.walk(tree) if isinstance(each, ast.Name)}
    for node in ast.walk(tree):
        is_future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
        if isinstance(node, (ast.Import, ast.ImportFrom)) and not is_future and "F401" not in lines[node.lineno - 1]:
            names = [(each.asname or each.name).split(".")[0] for each in node.names]
            yield from (f"{node.lineno}: '{name}' is imported, and not used" for name in names if name not in used)
        if isinstance(node, (ast.Module, *DEFINITIONS)):
            found = {}
            for each in node.body:
                # A setter and a deleter have the name of their property.
                if isinstance(each, DEFINITIONS) and not any(isinstance(mark, ast.Attribute) and mark.attr in ("setter", "deleter") for mark in each.decorator_list):
                    if each.name in found:
                        yield f"{each.lineno}: '{each.name}' takes the place of the one in line {found[each.name]}"
                    found[each.name] = each.lineno


if __name__ == "__main__":
    files = subprocess.run(["git", "ls-files", "*.py"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    sys.exit("\n".join(f"{file}:{fault}" for file in files for fault in faults_of((ROOT / file).read_text())) or None)
