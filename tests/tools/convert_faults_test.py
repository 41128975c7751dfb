"""What tools/convert.py says of faults, and that they leave no file behind."""

import os
import signal
import subprocess
import sys
import unittest

from support import CONVERT, TABLE, ConvertTest, skip_without_build


class FaultTest(ConvertTest):

    def test_values(self):
        for value, options, message in (
                ("inf", [], "inf is not finite"), ("-Infinity", [], "-Infinity is not finite"),
                ("1e999", [], "the number 1e999 is too large"),
                ('"1,5"', [], "1,5 has a decimal comma; use --decimal ,"),
                ('"1,234.5"', [], "1,234.5 has separators of thousands; write it without them"),
                ('"1,234"', [], "1,234 has separators of thousands; write it without them, or if the "
                                "comma is the decimal sign, use --decimal ,"),
                ('"1.234,5"', ["--decimal", ","],
                 "1.234,5 has separators of thousands; write it without them"),
                ("1.5", ["--decimal", ","], "1.5 has a decimal point, in spite of --decimal ,"),
                ("1_0", [], '"1_0" is not a number, as other values of the column are; --category '
                            "NAME makes a feature of each of its values"),
                ("\u0661", [], '"\u0661" is not a number, as other values of the column are; --category '
                               "NAME makes a feature of each of its values")):
            for first in ("1\n1,", ""):  # in a column that is numbers by another value or by this one
                if not first and "is not a number" in message:
                    continue
                with self.subTest((value, first)):
                    self.fails("standard input:%d: column a: %s" % (3 if first else 2, message),
                               *options, "-", text="y,a\n1,%s%s\n" % (first, value))

    def test_faults_of_all_columns(self):
        self.fails("standard input:3: column b: inf is not finite\n"
                   "standard input:4: column a: inf is not finite",
                   "-", text="y,a,b\n1,1,1\n1,1,inf\n1,inf,1\n1,inf,inf\n")
        self.fails("standard input:3: column b: inf is not finite\n"
                   'standard input:4: 2 fields, but the first row has 3 (separator: ",")',
                   "-", text="y,a,b\n1,1,1\n1,1,inf\n1,1\n")

    def test_rows(self):
        for text, message in (
                ("", "standard input: the table is empty"),
                ("y,a\n", "standard input: there are no rows below the names of the columns"),
                ("y,a\n1,2\n1,2,3\n", "standard input:3: 3 fields, but the first row has 2 "
                                      '(separator: ",")'),
                ("y\ta\n1\t2\n\n1\n", "standard input:4: 1 fields, but the first row has 2 "
                                      "(separator: a tab)"),
                ('y,a\n1,"2\n3\n', "standard input:2: no valid row: unexpected end of data; is a "
                                   "quotation mark not closed?"),
                ('y,a\n1,"2"3\n', "standard input:2: no valid row: ',' expected after '\"'"),
                ("y,a,a\n1,2,3\n", 'standard input:1: columns 2 and 3 are both called "a"; rename one, '
                                   "or leave it out with --drop NUMBER"),
                (",y,a\n0,2,3\n", "standard input:1: column 1 has no name; if it counts the rows, "
                                  "--drop 1 leaves it out"),
                ("1,2\n3,4\n", 'standard input:1: is this the names of the columns? One would be "1"; '
                               "use --header or --no-header"),
                ("a,b\n3,4\n", "standard input: which column is the label? Use --label NAME, or its "
                               "number, or --no-label; the columns are: 1 a, 2 b"),
                ("y,Class\n3,4\n", "standard input: which column is the label? Use --label NAME, or its "
                                   "number, or --no-label; the columns are: 1 y, 2 Class"),
                ("y\n3\n", "standard input: no column is left for features; the columns are: 1 y"),
                ("y,a\n,4\n", "standard input:2: column y: the label is missing; leave the row out"),
                ("y,a\n1,4\nNA,4\n", "standard input:3: column y: the label is missing; --no-label "
                                     "converts rows without one"),
                ("y,a\n1,\n2,?\n", "standard input:2: column a: a value is missing; --missing mean puts "
                                   "the mean or the most frequent category there, --missing zero "
                                   "leaves it out"),
                ("y,a\n1,x\n2,5\n", "standard input:3: column a: 5 is a number, but values before it "
                                    "are text; --category NAME makes a feature of each value"),
                ("y,a\n1,x\n", "standard input: column a is text: add -s FILE, which keeps how it was "
                               "converted (test data need it)")):
            with self.subTest(text):
                self.fails(message, "-", text=text)

    def test_identifiers(self):
        text = "y,name\n" + "".join("1,name%d\n" % row for row in range(10001))
        run = self.convert("-s", "names", "-", "out", text=text)
        self.assertRegex(run.stderr, r"^standard input:\d+: column name: more than 10000 different "
                                     r"values; is this an identifier\? --drop NAME leaves it out\n$")

    def test_long_line(self):
        self.fails("standard input:2: a line of more than 4194304 characters", "-",
                   text="y,a\n" + "1," * 2200000 + "\n")

    def test_usage(self):
        more = '\nTry "convert.py --help" for more information.'
        for arguments, message in (
                (["--nothing"], "option --nothing not recognized"),
                (["\u2013s", "n", "t"], "\u2013s has a typographic dash in the place of the sign -"),
                (["--missing", "x", "table.csv"], "option --missing needs refuse, mean or zero, not x"),
                (["--separator", "ab", "table.csv"],
                 "option --separator needs one character, tab or space, not ab"),
                (["--encoding", "x", "table.csv"], "option --encoding: there is no encoding x"),
                (["--predictions", "table.csv"], "--predictions needs the names file: -r file"),
                (["-r", "names", "--label", "a", "table.csv"], "-r and --label exclude each other"),
                (["-r", "names", "-s", "b", "table.csv"], "-r and -s exclude each other"),
                (["--back", "--decimal", ",", "table.csv"], "--back and --decimal exclude each other")):
            with self.subTest(arguments):
                self.fails(message + more, *arguments)
        self.fails("-r - and the input - exclude each other" + more, "-r", "-", "-", text=TABLE)
        for output in ([], ["-"]):
            run = self.convert("-s", "-", "table.csv", *output)
            self.assertEqual(run.stderr, "-s - needs an output file, as the data are written to "
                                         "standard output" + more + "\n")
            self.assertEqual(run.stdout, "")
        run = self.convert("table.csv", "table.csv")
        self.assertEqual(run.stderr, "table.csv would be written over itself" + more + "\n")
        self.assertEqual(self.read("table.csv"), TABLE)
        self.assertEqual(self.convert().stderr, "one or two files are needed, not 0" + more + "\n")
        self.assertTrue(self.converted("--help").startswith("Usage: convert.py [options] table"))
        self.fails("nothing: No such file or directory", "nothing")

    def test_old_output_survives_a_fault(self):
        self.write("out", "old\n")
        self.write("names", "old\n")
        self.fails('table.csv: --drop: there is no column "x"; the columns are: 1 id, 2 colour, '
                   "3 width, 4 height, 5 class", "--drop", "x", "-s", "names", "table.csv")
        self.write("table.csv", TABLE + "9,red,inf,1,big\n")
        self.fails("table.csv:5: column width: inf is not finite", "-s", "names", "table.csv")
        self.assertEqual((self.read("out"), self.read("names")), ("old\n", "old\n"))

    def test_interrupt(self):
        self.converted("-s", "names", "-", text="y,a\n1,2\n")
        before = sorted(os.listdir(self.folder))
        for number in signal.SIGINT, signal.SIGTERM:
            with self.subTest(number):
                process = subprocess.Popen([sys.executable, CONVERT, "-r", "names", "-", "out"],
                                           cwd=self.folder, stdin=subprocess.PIPE,
                                           stderr=subprocess.PIPE)
                self.addCleanup(process.stderr.close)
                process.stdin.write(b"y,a\n" + b"1,2\n" * 50000)
                process.stdin.flush()  # returns when all but a part is read
                self.assertEqual(len(os.listdir(self.folder)), len(before) + 1)
                process.send_signal(number)
                self.assertEqual(process.wait(60), -number)
                process.stdin.close()
                self.assertEqual(process.stderr.read(), b"")
                self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_nobody_reads(self):
        self.write("long", "y,a,t\n" + "1,2,x\n" * 200000)
        with subprocess.Popen([sys.executable, CONVERT, "-s", "names", "long"], cwd=self.folder,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            process.stdout.readline()
            process.stdout.close()
            self.assertEqual(process.stderr.read(), b"")
            self.assertEqual(process.wait(60), 1)
        self.assertEqual(sorted(os.listdir(self.folder)), ["data", "long", "table.csv"])


if __name__ == "__main__":
    skip_without_build()
    unittest.main()
