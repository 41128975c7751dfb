#!/usr/bin/env python3
"""Usage: shards.py BUILD_FOLDER NAME [ARGUMENT FOR CTEST...]

Runs the tests that ctest would run with these arguments, such as -L and -LE with labels, but GoogleTest's
by fifty in one process, as many processes at a time as there are processors: starting a process takes
longer than most tests, above all with sanitizers.  The test that runs when a process crashes or hangs has
failed, and those after it run in another process.  If a process fails although its tests passed, as at
leaks that are found at its end, they run again one by one.  Prints what failed tests print, the tests that
took longest, and at last "NAME: 12 passed, 0 failed, 1 skipped".
"""
import concurrent.futures
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

SIZE = 50
SECONDS = 300  # for a test that has no TIMEOUT of its own
EVENT = re.compile(r"^\[ +(RUN|OK|FAILED|SKIPPED) +\] ([^\s,]+)(?:.*\((\d+) ms\))?")


class Test:
    def __init__(self, entry):
        properties = {each["name"]: each["value"] for each in entry.get("properties", [])}
        self.name = entry["name"]
        self.command = entry.get("command")
        self.folder = properties.get("WORKING_DIRECTORY", ".")
        self.seconds = float(properties.get("TIMEOUT", SECONDS))
        self.skip_code = properties.get("SKIP_RETURN_CODE")
        self.environment = dict(each.split("=", 1) for each in properties.get("ENVIRONMENT", []))
        filters = [each for each in (self.command or []) if each.startswith("--gtest_filter=")]
        self.filter = filters[0].split("=", 1)[1] if filters else None
        self.result = None  # or "passed", "failed", "skipped"
        self.took = 0.0
        self.output = ""

    def key(self):
        """Tests with the same key can share a process."""
        return self.command[0], self.folder, tuple(sorted(self.environment.items()))


def tests_of(folder, arguments):
    listed = subprocess.run(["ctest", "--show-only=json-v1", *arguments], cwd=folder, check=True,
                            stdout=subprocess.PIPE)
    return [Test(each) for each in json.loads(listed.stdout)["tests"]]


def accept_ctrl_c():
    """Tests interrupt programs, which ignore that where a shell started this in its background."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def run(command, test, watch):
    """The exit status (None: ended here, as it hung) and the output.  `watch` tells from the output
    that it gets when the present test began, and whether it has taken too long."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, cwd=test.folder, stdin=subprocess.DEVNULL, stdout=output,
                                   stderr=subprocess.STDOUT, start_new_session=True,
                                   preexec_fn=accept_ctrl_c,
                                   env={**os.environ, **test.environment})
        while True:
            try:
                status = process.wait(1)
                break
            except subprocess.TimeoutExpired:
                if watch(os.pread(output.fileno(), os.fstat(output.fileno()).st_size, 0)):
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()
                    status = None
                    break
        return status, os.pread(output.fileno(), os.fstat(output.fileno()).st_size, 0).decode("utf-8", "replace")


def run_alone(test):
    start = time.monotonic()
    status, test.output = run(test.command, test, lambda _: time.monotonic() - start > test.seconds)
    test.took = time.monotonic() - start
    skipped = status is not None and str(status) == str(test.skip_code) or \
        status == 0 and re.search(r"^\[  SKIPPED \] ", test.output, re.MULTILINE)
    test.result = "skipped" if skipped else "passed" if status == 0 else "failed"
    if status is None:
        test.output += "%s: ended after %.0f s\n" % (test.name, test.seconds)


def read_events(text, by_filter):
    """Notes results and what was printed in tests; returns the test that began and did not end."""
    running = None
    lines = []
    for line in text.splitlines():
        event = EVENT.match(line)
        lines.append(line)
        if event is None or event.group(2) not in by_filter:
            continue
        test = by_filter[event.group(2)]
        if event.group(1) == "RUN":
            running, lines = test, [line]
        elif test is running:
            test.result = {"OK": "passed", "FAILED": "failed", "SKIPPED": "skipped"}[event.group(1)]
            test.took = int(event.group(3) or 0) / 1000
            test.output = "\n".join(lines) + "\n"
            running = None
    if running:
        running.output = "\n".join(lines) + "\n"
    return running


def run_shard(tests):
    by_filter = {test.filter: test for test in tests}
    left = tests
    while left:
        began = [None, time.monotonic()]

        def hangs(text):
            names = re.findall(rb"^\[ RUN      \] (\S+)", text, re.MULTILINE)
            if len(names) != began[0]:
                began[:] = [len(names), time.monotonic()]
            test = by_filter.get(names[-1].decode(), left[0]) if names else left[0]
            return time.monotonic() - began[1] > test.seconds

        command = [each for each in left[0].command if not each.startswith("--gtest_filter=")]
        command += ["--gtest_filter=" + ":".join(test.filter for test in left)]
        status, text = run(command, left[0], hangs)
        running = read_events(text, by_filter)
        if running:
            running.result = "failed"
            running.output += "%s: %s\n" % (running.name, "hangs" if status is None else "ended with %d" % status)
        elif status != 0 and not any(test.result == "failed" for test in left):
            for test in left:
                run_alone(test)
            if not any(test.result == "failed" for test in left):
                left[-1].result = "failed"
                left[-1].output = "together, from %s on: ended with %s\n%s" % (left[0].name, status, text[-20000:])
        rest = [test for test in left if test.result is None]
        if len(rest) == len(left):  # nothing began
            rest[0].result = "failed"
            rest[0].output = text[-20000:]
            rest = rest[1:]
        left = rest


def main():
    folder, name, *arguments = sys.argv[1:]
    tests = tests_of(folder, arguments)
    shards, alone = {}, []
    for test in tests:
        if test.command is None:
            test.result, test.output = "failed", "there is no program for this test\n"
        elif test.filter:
            shards.setdefault(test.key(), []).append(test)
        else:
            alone.append(test)
    work = [(run_alone, test) for test in alone]
    for group in shards.values():
        # Every n-th test, so that long ones, which often stand together, do not make one shard long.
        count = -(-len(group) // SIZE)
        work += [(run_shard, group[k::count]) for k in range(count)]
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("CTEST_PARALLEL_LEVEL") or os.cpu_count())) as pool:
        for done in [pool.submit(function, argument) for function, argument in work]:
            done.result()

    for test in tests:
        if test.result == "failed":
            print("=== %s failed:\n%s" % (test.name, test.output))
    for test in sorted(tests, key=lambda each: -each.took)[:12]:
        print("%7.1f s  %s" % (test.took, test.name))
    counts = {result: sum(test.result == result for test in tests) for result in ("passed", "failed", "skipped")}
    for test in tests:
        if test.result == "failed":
            print("failed: " + test.name)
    print("%s: %d passed, %d failed, %d skipped" % (name, counts["passed"], counts["failed"], counts["skipped"]))
    return 1 if counts["failed"] or not tests else 0


if __name__ == "__main__":
    sys.exit(main())
