"""What tools/export.py refuses, and what its command line does."""

import os
import re
import shutil
import unittest

from exported import ExportedTest
from support import skip_without_build


class ExportFaultsTest(ExportedTest):

    def fails(self, message, *words):
        before = sorted(os.listdir(self.folder))
        run = self.export("-o", "model.h", *words)
        self.assertEqual((run.returncode, run.stdout, run.stderr), (1, "", message + "\n"))
        self.assertEqual(sorted(os.listdir(self.folder)), before)

    def fails_with_help(self, message, *words):
        self.fails(message + '\nTry "export.py --help" for more information.', *words)

    def test_malformed_models(self):
        self.train("data")
        text = self.read("model")
        lines = text.splitlines(True)
        for message, changed in (
                ("line 1: novel is not a word of a model's header", "novel 1\n" + text),
                ("line 3: gamma appears twice", lines[0] + 2 * "gamma 1\n" + text),
                ("line 1: c_svm is not one of c_svc, nu_svc, one_class, epsilon_svr, nu_svr",
                 text.replace("c_svc", "c_svm")),
                ("line 3: x is not a finite number", text.replace("gamma 0.25", "gamma x")),
                ("line 6: nan is not a finite number", re.sub("rho .*", "rho nan", text)),
                ("line 4: one value is expected after nr_class, not 2",
                 text.replace("nr_class 2", "nr_class 2 3")),
                ("line 8: the header lacks rho", re.sub("rho .*\n", "", text)),
                ("line 9: label has 3 values, not 2", text.replace("label 1 -1", "label 1 -1 2")),
                ("line 9: the numbers of nr_sv do not sum to total_sv",
                 re.sub("nr_sv .*", "nr_sv 1 2", text)),
                ("line 9: gamma must not be negative", text.replace("gamma 0.25", "gamma -1")),
                ("line 5: the file ends before the line SV", "".join(lines[:4])),
                ("line 12: the file ends after 2 of %s support vectors" %
                 re.search("total_sv ([0-9]+)", text).group(1), "".join(lines[:11])),
                ("line 10: y is not a finite number", re.sub("SV\n(\\S+) ", "SV\n\\1 1:y ", text)),
                ("line 10: 1 is not a whole number from 3",
                 re.sub("SV\n(\\S+) ", "SV\n\\1 2:1 ", text)),
                ("line 10: 1 coefficients are expected, not 0", re.sub("SV\n", "SV\n\n", text)),
                ("line 2: a precomputed kernel needs its values against all training rows at "
                 "prediction; train with another kernel", text.replace(" rbf", " precomputed"))):
            self.write("bad", changed)
            self.fails("bad: " + message, "bad")
        self.write("forest", "svm_forest 1\n")
        self.fails("forest: a forest has many models; svm-forest --tree 1 --cell 1 writes the "
                   "model of one cell, which can be exported", "forest")

    def test_refusals(self):
        self.train("data")
        self.fails("none: No such file or directory", "none")
        self.fails_with_help("one model is needed, not 0")
        self.fails_with_help("--type needs double, float, int8, not half", "--type=half", "model")
        self.fails_with_help("--name needs a name of C, not 2a", "--name", "2a", "model")
        self.fails_with_help("--cmsis needs --type float, not int8",
                             "--cmsis", "--type=int8", "model")
        self.fails_with_help("--features needs a whole number, not -1", "--features=-1", "model")
        os.link(self.path("model"), self.path("model.h"))
        self.fails_with_help("model would be written over itself", "model")
        os.remove(self.path("model.h"))
        self.write("rows", "1 1:1\n1 2:x\n")
        run = self.export("--data", "rows", "model")
        self.assertEqual((run.returncode, run.stdout), (1, ""))
        self.assertTrue(run.stderr.startswith("rows:2: feature '2:x' not an <index>:<value> pair"))
        self.write("range", "x\n-1 1\n1 2 1\n")
        self.fails("range: line 3: 2 is greater than 1", "--scale", "range", "model")
        self.write("model", "svm_type one_class\nkernel_type polynomial\ndegree 12\ngamma 1\n"
                   "coef0 0\nnr_class 2\ntotal_sv 2\nrho 1\nSV\n1 1:100\n1 1:9\n")
        self.fails("model: the sums may exceed the largest float; scale the data, or use --type "
                   "double", "--type", "float", "model")
        self.fails("model: 2 dense support vectors of 30000000 features are too many for a header",
                   "--cmsis", "--features", "30000000", "model")
        self.fails("model: a row of 40000000 features is too long for a header",
                   "--features", "40000000", "model")
        self.train("-s", "3", "data")
        self.fails("model: CMSIS-DSP has functions for two classes, and this model has a target",
                   "--cmsis", "model")

    def test_weights_of_features(self):
        self.write("right", "x\n0 1\n1 0 2\n2 0 0.25\n")
        self.train("--use-metric", "right", "data")
        self.fails("model: the model is for features with weights: give --metric right", "model")
        self.write("other", "x\n0 1\n1 0 2\n2 0 0.250\n")
        self.fails("other: the model was trained with other weights, those of right",
                   "--metric", "other", "model")
        self.fails("none: No such file or directory", "--metric", "none", "model")
        lines = self.lines("model")
        self.write("model", "\n".join([*lines[:-1], "metric x a  file", "1 1:1", ""]))
        self.fails("model: line %d: there is more than %d support vectors" % (
            len(lines) + 1, int(re.search("total_sv ([0-9]+)", self.read("model")).group(1))), "model")
        self.write("model", "\n".join([*lines[:-1], "metric x a  file", "", ""]))
        self.fails("model: the model is for features with weights: give --metric a file", "model")
        self.train("data")  # which tells of no weights
        for text in ("x\n-1 1\n1 0 2\n", "x\n0 1\n1 -1 2\n", "x\n0 1\n1 0 0\n", "x\n0 1\n",
                     "x\n0 1\n1 0 4.9406564584124654e-324\n"):
            self.write("bad", text)
            self.fails("bad: this is no file of svm-train --metric, whose limits are 0 and 1, and "
                       "whose ranges go from 0 to the reciprocals of weights",
                       "--metric", "bad", "model")
        self.write("bad", "x\n0 1\n1 0 nan\n")
        self.fails("bad: line 3: nan is not a finite number", "--metric", "bad", "model")
        os.link(self.path("right"), self.path("model.h"))
        self.fails_with_help("right would be written over itself", "--metric", "right", "model")

    def test_names(self):
        self.train("data")
        shutil.copy(self.path("model"), self.path("7 a-b.model"))
        text = self.check_ok(self.export("7 a-b.model")).stdout
        self.assertIn("static inline int model_7_a_b_predict(", text)
        self.assertIn("Written from 7 a-b.model", text)
        run = self.check_ok(self.export("--help"))
        self.assertTrue(run.stdout.startswith("Usage: export.py [options] model\n"))

    def test_nobody_reads(self):
        self.train("data")
        self.check_nobody_reads("export.py", "model")


if __name__ == "__main__":
    skip_without_build()
    unittest.main()
