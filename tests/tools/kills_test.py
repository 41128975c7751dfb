"""svm-grid killed at random moments: -resume goes on and no finished point is lost."""

import os
import random
import subprocess
import time
import unittest

from support import SMALL_GRID, SVM_GRID, ToolsTest, rows, skip, skip_without_build

KILLS = 100
MOST_KILLS_OF_A_SEARCH = 8
MOST_SEARCHES = 1000  # so that the test ends where no kill ever meets a running search
POINTS = 30
KILLED = -9
SEED = 20


class KillsTest(ToolsTest):

    def setUp(self):
        super().setUp()
        self.write("data", rows(450))

    def search(self, *more):
        return [SVM_GRID, "-q", "-a", "smo", *SMALL_GRID, "-png", "null", *more, "data"]

    def undisturbed(self):
        """Writes `want`; the seconds that it takes."""
        begin = time.monotonic()
        self.check_ok(self.command(*self.search("-out", "want")))
        return time.monotonic() - begin

    def killed_after(self, seconds, *more):
        """Whether the search still ran after so many seconds, when it was killed."""
        process = subprocess.Popen(self.search(*more), cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   universal_newlines=True)
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
        errors = process.communicate(timeout=240)[1]
        self.assertIn(process.returncode, (0, KILLED), errors)
        return process.returncode == KILLED

    def whole_lines(self):
        """The lines of data.out that have their end."""
        if not os.path.exists(self.path("data.out")):
            return []
        return self.read("data.out").split("\n")[:-1]

    def cut_a_line(self, random_numbers):
        """Adds a part of a line, as a kill of a machine may leave it."""
        line = "log2c=3.0 log2g=-7.0 rate=99.9999"
        with open(self.path("data.out"), "a", encoding="ascii") as file:
            file.write(line[:random_numbers.randrange(len(line))])

    def test_a_hundred_kills_lose_nothing(self):
        seconds = min(self.undisturbed() for _ in range(3))
        want = sorted(self.lines("want"))
        self.assertEqual(len(set(want)), POINTS)
        random_numbers = random.Random(SEED)
        kills = searches = kills_half_way = 0
        while kills < KILLS:
            searches += 1
            self.assertLess(searches, MOST_SEARCHES, "%d kills" % kills)
            for _ in range(min(random_numbers.randint(1, MOST_KILLS_OF_A_SEARCH), KILLS - kills)):
                before = self.whole_lines()
                resume = ["-resume"] if os.path.exists(self.path("data.out")) else []
                if not self.killed_after(random_numbers.uniform(0, seconds), *resume):
                    break
                kills += 1
                after = self.whole_lines()
                self.assertEqual(after[:len(before)], before)
                self.assertLessEqual(set(after), set(want))
                self.assertEqual(len(after), len(set(after)))
                kills_half_way += 0 < len(after) < POINTS
                if after and random_numbers.random() < 0.2:
                    self.cut_a_line(random_numbers)
            resume = ["-resume"] if os.path.exists(self.path("data.out")) else []
            self.check_ok(self.command(*self.search(*resume)))
            self.assertEqual(sorted(self.lines("data.out")), want)
            os.remove(self.path("data.out"))
        # Else the kills prove little.
        print("%d kills of %d searches, %d half way" % (kills, searches, kills_half_way))
        self.assertGreater(kills_half_way, 0)


if __name__ == "__main__":
    skip_without_build()
    if not os.path.exists(SVM_GRID):
        skip("there is no svm-grid")
    unittest.main()
