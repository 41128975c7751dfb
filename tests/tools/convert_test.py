"""tools/convert.py: tables to LIBSVM data and back."""

import json
import os
import shutil
import subprocess
import sys
import unittest

from support import BIN, CONVERT, SOURCE, TABLE, TOOLS, ConvertTest, skip_without_build

DATA = "1 3:1 4:1.50\n2 1:1 4:-2e-3 5:4\n1 2:1 4:+3 5:5.\n"
PACKERS = {"gz": "gzip", "bz2": "bzip2", "xz": "xz", "zst": "zstd"}


class ToDataTest(ConvertTest):

    def test_table(self):
        self.assertEqual(self.converted("--drop", "id", "-s", "names", "table.csv"), DATA)
        names = json.loads(self.read("names"))
        self.assertEqual([column["name"] for column in names["columns"]],
                         ["id", "colour", "width", "height", "class"])
        self.assertEqual(names["columns"][1]["features"], {"green": 1, 'light, "red"': 2, "red": 3})
        self.assertEqual(names["columns"][4]["labels"], {"big": 1, "small": 2})

    def test_output_file(self):
        self.converted("--drop", "1", "-s", "names", "table.csv", "out")
        self.assertEqual(self.read("out"), DATA)
        run = self.tool("checkdata.py", "out")
        self.assertEqual(run.stdout, "No error.\n")

    def test_only_numbers_need_no_names(self):
        text = "y,a,b\n1.5,2,3\n-7,0.0,4\n"
        self.assertEqual(self.converted("-", text=text), "1.5 1:2 2:3\n-7 2:4\n")

    def test_forms_of_tables(self):
        expected = "1 1:2 2:3.5\n-1 1:4 2:5\n"
        for text, options in (
                ("y,a,b\r\n1,2,3.5\r\n-1,4,5\r\n", []),
                ("\ufeffy,a,b\n1,2,3.5\n\n-1,4,5", []),
                ("y\ta\tb\n1\t2\t3.5\n-1\t4\t5\n", []),
                ("y;a;b\n1;2;3,5\n-1;4;5\n", ["--decimal", ","]),
                ("\ufeffsep=;\r\ny;a;b\r\n1;2;3.5\r\n-1;4;5\r\n", []),
                ("sep=:\ny:a:b\n1:2:3.5\n-1:4:5\n", []),
                ("y a   b\n 1  2 3.5 \n-1\t4 5\n", []),
                ("1 2 3.5\n-1 4 5\n", ["--no-header", "--label", "1"]),
                ("2,1,3.5\n4,-1,5\n", ["--no-header", "--label", "2"]),
                ("y:a:b\n1:2:3.5\n-1:4:5\n", ["--separator", ":"]),
                ("y,a,b\n1, 2 ,3.5\n-1,4 , 5\n", []),
                ("\n\ny,a,b\n1,2,3.5\n-1,4,5\n\n", []),
                ("y,7,a,7\n1,2,3.5,6\n-1,4,5,7\n", ["--header", "--drop", "4"])):
            with self.subTest(text):
                self.assertEqual(self.converted(*options, "-", text=text), expected)

    def test_quoted_words_between_blanks(self):
        text = '"the y" b\n1 2\n3 "4"\n'
        self.assertEqual(self.converted("--label", "the y", "-", text=text), "1 1:2\n3 1:4\n")

    def test_encoding(self):
        with open(self.path("latin"), "wb") as file:
            file.write("y,ort\n1,Köln\n2,Ulm\n".encode("latin-1"))
        self.fails("latin:2: is not UTF-8; name its encoding, such as --encoding latin-1",
                   "-s", "names", "latin")
        self.converted("--encoding", "latin-1", "-s", "names", "latin", "out")
        self.assertIn("Köln", self.read("names"))
        self.assertIn("ort\nKöln\n", self.converted("--back", "-r", "names", "out").replace(
            "1,", "").replace("y,", ""))

    def test_packed(self):
        for suffix, program in PACKERS.items():
            with self.subTest(suffix):
                if shutil.which(program) is None:
                    self.skipTest("no " + program)
                with open(self.path("table.csv." + suffix), "wb") as file:
                    subprocess.run([program, "-c"], input=TABLE.encode(), stdout=file, check=True)
                self.assertEqual(self.converted("--drop", "id", "-s", "n", "table.csv." + suffix), DATA)

    def test_packed_in_a_pipe(self):
        os.mkfifo(self.path("pipe.csv.gz"))
        with subprocess.Popen("gzip -c <table.csv >pipe.csv.gz", shell=True, cwd=self.folder):
            self.assertEqual(self.converted("--drop", "id", "-s", "names", "pipe.csv.gz"), DATA)

    def test_packed_and_broken(self):
        packed = subprocess.run(["gzip", "-c"], input=TABLE.encode() * 100, stdout=subprocess.PIPE,
                                check=True).stdout
        with open(self.path("t.csv.gz"), "wb") as file:
            file.write(packed[:-20])
        run = self.convert("--drop", "id", "-s", "names", "--header", "t.csv.gz", "out")
        self.assertEqual(run.returncode, 1)
        self.assertIn("t.csv.gz: gzip failed: exit status 1\n", run.stderr)
        self.assertFalse(os.path.exists(self.path("out")) or os.path.exists(self.path("names")))
        run = self.convert("--drop", "id", "-s", "names", "t.csv.gz", "out", env={"PATH": self.folder})
        self.assertEqual(run.stderr, "t.csv.gz: needs the program gzip, which is not installed\n")

    def test_options_for_columns(self):
        text = "class,zip,a\n1,10115,1\n2,80331,2\n1,9,0\n"
        self.assertEqual(self.converted("--category", "zip", "-s", "names", "-", text=text),
                         "1 2:1 4:1\n2 3:1 4:2\n1 1:1\n")
        self.assertEqual(self.converted("--no-label", "--drop", "class", "-", text=text),
                         "0 1:10115 2:1\n0 1:80331 2:2\n0 1:9\n")
        self.assertEqual(self.converted("--category", "class", "--drop", "zip", "-s", "names", "-",
                                        text=text), "1 1:1\n2 1:2\n1\n")

    def test_missing(self):
        text = "y,a,b,c\n1,2,x,0\n2,NA,y,0\n1,4,,5\n1,?,x,\n"
        advice = ("--missing mean puts the mean or the most frequent category there, --missing zero "
                  "leaves it out")
        self.fails('standard input:3: column a: "NA" stands for a missing value, unless --gap TEXT says '
                   "what does; " + advice + "\nstandard input:4: column b: a value is missing; " + advice +
                   "\nstandard input:5: column c: a value is missing; " + advice, "-s", "n", "-",
                   text=text)
        note = "note: standard input: column %s: %s: filled in with %s\n"
        a = "2 values are missing (NA, ?)"
        b, c = ("1 value is missing (%s)" % mark for mark in ("nothing", "nothing"))
        self.noted("1 1:2 2:1\n2 1:3.0 3:1\n1 1:4 2:1 4:5\n1 1:3.0 2:1 4:1.6666666666666667\n",
                   note % ("a", a, '"3.0"') + note % ("b", b, '"x"') +
                   note % ("c", c, '"1.6666666666666667"'),
                   "--missing", "mean", "-s", "names", "-", text=text)
        # In test data, the values of the training data take the place of missing ones.
        self.noted("1 1:3.0 2:1 4:9\n", note % ("a", "1 value is missing (null)", '"3.0"') +
                   note % ("b", "1 value is missing (NaN)", '"x"'),
                   "-r", "names", "-", text="a,b,c,y\nnull,NaN,9,1\n")
        self.noted("1 1:2 2:1\n2 3:1\n1 1:4 4:5\n1 2:1\n",
                   note % ("a", a, '"0"') + note % ("b", b, "no category") + note % ("c", c, '"0"'),
                   "--missing", "zero", "-s", "names", "-", text=text)

    def test_gaps(self):
        text = "country,y\nNA,1\nDE,2\n-,1\n,2\n"
        self.noted("1 2:1\n2 1:1\n1\n2\n", "note: standard input: column country: 2 values are missing "
                   "(-, nothing): filled in with no category\n",
                   "--gap", "-", "--missing", "zero", "-s", "names", "-", text=text)
        # The names file has the gaps.
        self.noted("1 2:1\n2\n", "note: standard input: column country: 1 value is missing (-): filled in "
                   "with no category\n", "-r", "names", "-", text="country,y\nNA,1\n-,2\n")

    def test_numbers_in_other_forms(self):
        text = "day,at,dose,y\n" + "".join(
            "2021-01-%02d,2021-01-%02d 12:00,%d.5 mg,1\n" % (day, day, day) for day in range(1, 31))
        warning = ("warning: standard input: column %s: 30 different texts in 30 rows become a feature "
                   "each; --number NAME makes one feature of the column, as of %s\n")
        dates = "dates, which become days since 1970"
        run = self.check_ok(self.convert("-s", "names", "-", "out", text=text))
        self.assertEqual(run.stderr, warning % ("day", dates) + warning % ("at", dates) +
                         warning % ("dose", 'numbers between "" and " mg"'))
        options = ["--number", "day", "--number", "2", "--number", "dose"]
        lines = "".join("1 1:%d 2:%.1f 3:%d.5\n" % (18627 + day, 18627.5 + day, day)
                        for day in range(1, 31))
        self.assertEqual(self.converted(*options, "-s", "names", "-", text=text), lines)
        self.assertEqual(self.converted("-r", "names", "-", text=text), lines)
        self.write("data", lines)
        self.assertEqual(self.converted("--back", "-r", "names", "data"),
                         text.replace("12:00", "12:00:00"))
        self.fails('standard input:2: column day: "5.1.2021" is not written as other values of the column, '
                   "which are dates, which become days since 1970\n"
                   'standard input:2: column dose: "3 g" is not written as other values of the column, '
                   'which are numbers between "" and " mg"', "-r", "names", "-",
                   text="day,at,dose,y\n5.1.2021,2021-01-01,3 g,1\n")
        self.fails('standard input:2: column a: "x" is not a number, as other values of the column are; '
                   "--category NAME makes a feature of each of its values",
                   "--number", "a", "-s", "n", "-", text="y,a\n1,x\n")

    def test_doubtful_categories(self):
        rows = ["1,room %d,name %d\n" % (row % 25, row) for row in range(100)]
        run = self.check_ok(self.convert("-s", "names", "-", "out", text="y,room,name\n" + "".join(rows)))
        self.assertEqual(run.stderr, "warning: standard input: column name: 100 different texts in 100 rows "
                         "become a feature each; --number NAME makes one feature of the column, as of "
                         'numbers between "name " and ""\n')
        texts = "".join("1,%s\n" % ("ab"[row % 2] * (row + 1)) for row in range(30))
        run = self.check_ok(self.convert("-s", "names", "-", "out", text="y,t\n" + texts))
        self.assertEqual(run.stderr, "warning: standard input: column t: 30 different texts in 30 rows "
                         "become a feature each; --drop NAME leaves the column out\n")
        self.converted("--category", "t", "-s", "names", "-", "out", text="y,t\n" + texts)

    def test_all_faults_at_once(self):
        self.fails('standard input: --drop: there is no column "z"; the columns are: 1 y, 2 a, 3 b\n'
                   'standard input: --category: there is no column "x"; the columns are: 1 y, 2 a, 3 b',
                   "--drop", "z", "--category", "x", "-", text="y,a,b\n1,2,3\n")
        self.fails("standard input:3: column c: inf is not finite\n"
                   "standard input:4: column y: the label is missing; --no-label converts rows without "
                   "one\nstandard input: column b is text: add -s FILE, which keeps how it was converted "
                   "(test data need it)", "-", text="y,b,c\n1,u,5\n2,v,inf\n,u,7\n")

    def test_many_rows_in_two_passes(self):
        rows = ["%d,%s,%d" % (row % 3, "even" if row % 2 == 0 else "odd", row) for row in range(9000)]
        text = "y,parity,n\n" + "\n".join(rows) + "\n"
        lines = ["%d %d:1%s" % (row % 3, 1 + row % 2, " 3:%d" % row if row else "")
                 for row in range(9000)]
        self.write("rows", text)
        self.assertEqual(self.converted("-s", "names", "rows").splitlines(), lines)
        self.assertEqual(self.converted("-s", "names", "-", text=text).splitlines(), lines)
        self.assertEqual(self.converted("-r", "names", "-", text=text).splitlines(), lines)

    def test_line_numbers_in_long_tables(self):
        rows = ['1,"two\nlines",%d\n' % row for row in range(5000)]
        rows[4321] = '1,"two\nlines",x\n'
        self.fails('standard input:8644: column n: "x" is not a number, as other values of the column '
                   "are; --category NAME makes a feature of each of its values",
                   "-s", "names", "-", text="y,t,n\n" + "".join(rows))

    def test_numbers_keep_their_digits(self):
        texts = ("0.1000000000000000055511151231257827", "12345678901234567890", "1E+5", "-.5", "+7.",
                 "1e-320")
        lines = self.converted("-", text="y,a\n" + "".join("1,%s\n" % text for text in texts))
        self.assertEqual(lines, "".join("1 1:%s\n" % text for text in texts))
        for text in ("0", "-0.00", "0e9", "+.0"):
            self.assertEqual(self.converted("-", text="y,a\n1,%s\n" % text), "1\n")


class NamesTest(ConvertTest):

    def setUp(self):
        super().setUp()
        self.converted("--drop", "id", "-s", "names", "table.csv", "train")

    def test_other_order(self):
        text = "class,height,colour,width\nsmall,1,red,0\n"
        self.assertEqual(self.converted("-r", "names", "-", text=text), "2 3:1 5:1\n")
        text = "height,colour,id,width\n1,red,,0\n"
        self.assertEqual(self.converted("-r", "names", "--no-label", "-", text=text), "0 3:1 5:1\n")

    def test_names_through_standard_streams(self):
        names = self.converted("--drop", "id", "-s", "-", "table.csv", "train")
        self.assertEqual(names, self.read("names"))
        self.assertEqual(self.converted("-r", "-", "table.csv", text=names), self.read("train"))
        self.fails("standard input: not a names file of svm-convert (Expecting value: line 1 column 1 "
                   "(char 0))", "-r", "-", "table.csv", text="")

    def test_without_header(self):
        for text, options in (("5,red,0,1,big\n", []), ("5,red,0,1\n", ["--no-label"])):
            self.assertEqual(self.converted("-r", "names", "--no-header", *options, "-", text=text),
                             ("0" if options else "1") + " 3:1 5:1\n")
        self.fails("standard input:1: 4 columns, but the names file has 5",
                   "-r", "names", "--no-header", "-", text="5,red,0,1\n")

    def test_unknown(self):
        text = "colour,width,height,class\nred,1,1,big\nblue,1,1,big\npink,1,1,big\n"
        run = self.check_ok(self.convert("-r", "names", "-", text=text))
        self.assertEqual(run.stdout, "1 3:1 4:1 5:1\n1 4:1 5:1\n1 4:1 5:1\n")
        self.assertEqual(run.stderr, 'warning: standard input:3: column colour: the category "blue" is '
                                     "not in the names file; it and others like it become no category\n")
        self.fails('standard input:3: column colour: the category "blue" is not in the names file',
                   "-r", "names", "--unknown", "refuse", "-", text=text)

    def test_faults(self):
        for text, message in (
                ("colour,width,class\nred,1,big\n", '1: the column "height" is missing'),
                ("colour,width,height\nred,1,1\n", '1: the column "class" is missing; --no-label converts '
                                                   "rows without a label"),
                ("colour,width,colour,height,class\n",
                 '1: several columns are called "colour"; rename those that are new'),
                ("colour,width,height,class,x\n", '1: the column "x" is not in the names file'),
                ("colour,width,height,class\nred,1,1,huge\n",
                 '2: column class: the label "huge" is not in the names file, which has big, small'),
                ("colour,width,height,class\nred,1,1,\n",
                 "2: column class: the label is missing; --no-label converts rows without one"),
                ("colour,width,height,class\nred,1,,big\n",
                 "2: column height: a value is missing, and the names file has nothing for its place; "
                 "convert the training data with --missing mean or --missing zero")):
            with self.subTest(text):
                self.fails("standard input:" + message, "-r", "names", "-", text=text)

    def test_wrong_names_files(self):
        good = json.loads(self.read("names"))
        changes = [lambda names: names.pop("columns"), lambda names: names.update(format="x"),
                   lambda names: names["columns"][1].update(features={"red": 0}),
                   lambda names: names["columns"][1].update(features={"red": 1, "blue": 1}),
                   lambda names: names["columns"][1].update(features=[1]),
                   lambda names: names["columns"][2].update(feature=1),
                   lambda names: names["columns"][2].update(missing="x"),
                   lambda names: names["columns"][2].update(kind="x"),
                   lambda names: names["columns"][3].update(kind="label"),
                   lambda names: names["columns"].append(3)]
        texts = ["", "[", "[]", "3", "{}"]
        for change in changes:
            names = json.loads(json.dumps(good))
            change(names)
            texts.append(json.dumps(names))
        for text in texts:
            with self.subTest(text):
                self.write("wrong", text)
                run = self.convert("-r", "wrong", "table.csv", "out")
                self.assertEqual(run.returncode, 1)
                self.assertRegex(run.stderr, r"^wrong: not a names file of svm-convert \(.*\)\n$")


class BackTest(ConvertTest):

    def test_round_trip(self):
        self.converted("--drop", "id", "-s", "names", "table.csv", "data")
        back = self.converted("--back", "-r", "names", "data")
        self.assertEqual(back, TABLE.replace("id,", "").replace("7,", "").replace("8,", "").replace(
            "9,", ""))
        self.assertEqual(self.converted("-r", "names", "-", text=back), DATA)

    def test_without_names(self):
        data = self.read("data")
        table = self.converted("--back", "-", text=data)
        self.assertEqual(table.splitlines()[0], "label,1,2,3,4")
        self.assertEqual(self.converted("--header", "--label", "label", "-", text=table), data)

    def test_faults(self):
        self.converted("--drop", "id", "-s", "names", "table.csv", "data")
        for text, message in (
                ("1 1:1\n1 9:1\n", "2: feature 9 is not in the names file"),
                ("3 1:1\n", "1: the label 3 has no name in the names file"),
                ("1 1:1 2:1\n", "1: column colour: not one category of the value 1, but 1:1 2:1; is this "
                                "the output of svm-scale? Convert what it was made from"),
                ("1 1:0.5\n", "1: column colour: not one category of the value 1, but 1:0.5; is this the "
                              "output of svm-scale? Convert what it was made from"),
                ("1 x\n", "1: feature 'x' not an <index>:<value> pair, <index> integer, <value> real "
                          "number")):
            with self.subTest(text):
                self.fails("standard input:" + message, "--back", "-r", "names", "-", text=text)
        self.fails("standard input: feature 200000: the table would have more than 100000 columns",
                   "--back", "-", text="1 200000:1\n")

    def test_predictions(self):
        self.converted("--drop", "id", "-s", "names", "table.csv", "data")
        self.assertEqual(self.converted("--predictions", "-r", "names", "-", text="2\n1\n"),
                         "class\nsmall\nbig\n")
        self.assertEqual(self.converted("--predictions", "-r", "names", "-",
                                        text="labels 2 1\n2 0.7 0.3\n"),
                         "class,small,big\nsmall,0.7,0.3\n")
        for text, message in (("1 2\n", "1: not the output of svm-predict"),
                              ("1\nx\n", "2: not the output of svm-predict"),
                              ("1\n5\n", "2: the label 5 has no name in the names file")):
            self.fails("standard input:" + message, "--predictions", "-r", "names", "-", text=text)


class WholeTest(ConvertTest):

    def test_from_table_to_names(self):
        for name in ("demo-train.csv", "demo-test.csv"):
            shutil.copy(os.path.join(SOURCE, "data", name), self.path(name))
        self.fails("demo-train.csv:18: column vibration: a value is missing; --missing mean puts the mean "
                   "or the most frequent category there, --missing zero leaves it out",
                   "--label", "state", "-s", "names", "demo-train.csv")
        self.check_ok(self.convert("--label", "state", "--missing", "mean", "-s", "names",
                                   "demo-train.csv", "train"))
        self.converted("-r", "names", "demo-test.csv", "test")
        for name in ("train", "test"):
            self.assertEqual(self.tool("checkdata.py", name).stdout, "No error.\n")
        for option, name in (("-s", "train"), ("-r", "test")):
            run = self.check_ok(self.command(os.path.join(BIN, "svm-scale"), option, "range", name))
            self.write(name + ".scaled", run.stdout)
        self.check_ok(self.command(os.path.join(BIN, "svm-train"), "-q", "-c", "1000", "-b", "1",
                                   "train.scaled", "model"))
        truth = [line.split(",")[-1] for line in self.lines("demo-test.csv")]
        for options in ([], ["-b", "1"]):
            self.check_ok(self.command(os.path.join(BIN, "svm-predict"), *options, "test.scaled", "model",
                                       "predictions"))
            answers = self.converted("--predictions", "-r", "names", "predictions").splitlines()
            self.assertEqual(len(answers), 101)
            right = sum(answer.split(",")[0] == state for answer, state in zip(answers, truth))
            self.assertGreater(right, 85)
        self.assertEqual(sorted(answers[0].split(",")), ["broken", "good", "state", "worn"])

    @unittest.skipUnless(sys.platform == "linux", "limits of memory are tested on Linux")
    def test_memory(self):
        """A table of 15 MB is converted in two passes, with 5 MB more than a small one needs."""
        with open(self.path("long.csv"), "w", encoding="ascii") as file:
            file.write("y,place,a,b,c\n")
            for start in range(0, 300000, 1000):
                file.write("".join("%d,place %d,%d,0.5,123456.789012345678901\n" % (
                    row % 2, row % 50, row) for row in range(start, start + 1000)))
        self.write("short.csv", "y,place,a,b,c\n1,x,1,2,3\n")
        script = ("import sys; sys.argv[0] = %r; sys.path.insert(0, %r); import convert; "
                  "status = convert.main(sys.argv[0], sys.argv[1:]); "
                  "peak = [line for line in open('/proc/self/status') if line.startswith('VmHWM')]; "
                  "print(status, peak[0].split()[1])" % (CONVERT, TOOLS))

        def peak(name):
            run = self.check_ok(self.command(sys.executable, "-B", "-c", script, "--missing", "mean", "-s",
                                             "names", name, "out"))
            status, kilobytes = map(int, run.stdout.split())
            self.assertEqual((status, run.stderr), (0, ""))
            return kilobytes

        long, short = peak("long.csv"), peak("short.csv")
        self.assertLess(long, short + 5000)


if __name__ == "__main__":
    skip_without_build()
    unittest.main()
