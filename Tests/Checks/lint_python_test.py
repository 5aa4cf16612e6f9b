# SPDX-License-Identifier: MIT
"""The check of Python sources finds the imports and functions that are planted for it."""

from planted import Planted

from lint_python import faults_of

TWICE = "def test_a():\n    pass\n\n\n@mark\ndef test_a():\n    pass\n"


class LintPythonTest(Planted):
    def expect(self, text: str, *faults: str) -> None:
        self.assertEqual(list(faults_of(text)), list(faults))

    def test_an_import_that_is_not_used_is_found_wherever_it_stands(self) -> None:
        self.expect("import os.path\nfrom time import sleep as rest\n", "1: 'os' is imported, and not used", "2: 'rest' is imported, and not used")
        self.expect("def look():\n    import os\n", "2: 'os' is imported, and not used")

    def test_an_import_that_is_used_or_handed_on_is_none(self) -> None:
        self.expect("import os.path\nprint(os.path.sep)\nfrom pages import server  # noqa: F401\n")

    def test_a_function_that_stands_twice_is_found_in_a_module_and_in_a_class(self) -> None:
        self.expect(TWICE, "6: 'test_a' takes the place of the one in line 1")
        self.expect("class A:\n" + "".join(f"    {line}\n" for line in TWICE.split("\n")), "7: 'test_a' takes the place of the one in line 2")

    def test_the_setter_of_a_property_and_functions_of_two_classes_are_none(self) -> None:
        self.expect("class A:\n    @property\n    def a(self): ...\n    @a.setter\n    def a(self, a): ...\nclass B:\n    def a(self): ...\n")
