"""The edits of bench/ablation.py still find their text."""

import os
import pathlib
import sys
import unittest
import unittest.mock

from support import SOURCE, ToolsTest

sys.path.insert(0, os.path.join(SOURCE, "bench"))
import ablation  # noqa: E402


class AblationTest(ToolsTest):

    def test_edits_apply(self):
        for name in ablation.EDITS:
            with self.subTest(name):
                path, text = ablation.edited(pathlib.Path(SOURCE), name)
                self.assertNotEqual(text, path.read_text(encoding="utf-8"))

    def test_a_lost_text_is_an_error(self):
        lost = {"lost": ("svm.h", "no such text", "")}
        with unittest.mock.patch.dict(ablation.EDITS, lost), \
                self.assertRaisesRegex(LookupError, "svm.h has 0 times"):
            ablation.edited(pathlib.Path(SOURCE), "lost")


if __name__ == "__main__":
    unittest.main()
