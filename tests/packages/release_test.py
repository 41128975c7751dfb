"""The parts of tools/release that can be tried without making a release."""

import importlib.machinery
import importlib.util
import json
import os
import platform
import shutil
import subprocess
import sys
import unittest

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from support import BIN, SOURCE, ToolsTest, skip_without_build  # noqa: E402

WHEELS = os.path.join(SOURCE, "packaging", "wheels")


def load(path):
    """Returns a script without the suffix .py as a module."""
    loader = importlib.machinery.SourceFileLoader("script", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("script", loader))
    loader.exec_module(module)
    return module


def run(*command, **options):
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, universal_newlines=True, **options)


class PartsTest(unittest.TestCase):

    def parts(self, *arguments):
        printed = run(os.path.join(SOURCE, "packaging", "sbom"), *arguments,
                      env=dict(os.environ, SOURCE_DATE_EPOCH="86400"))
        self.assertEqual(printed.returncode, 0, printed.stderr)
        return json.loads(printed.stdout)

    def test_sources_have_one(self):
        document = self.parts("sources")
        self.assertEqual(document["creationInfo"]["created"], "1970-01-02T00:00:00Z")
        self.assertEqual([part["name"] for part in document["packages"]], ["csmo"])

    def test_binaries_have_those_of_the_compiler(self):
        document = self.parts("wheel", shutil.which("gcc") or self.skipTest("no gcc"))
        self.assertEqual([part["name"] for part in document["packages"]],
                         ["csmo", "libstdc++ and libgcc"])
        self.assertIn("STATIC_LINK", [each["relationshipType"] for each in document["relationships"]])


@unittest.skipUnless(platform.libc_ver()[0] == "glibc" and shutil.which("readelf") and
                     platform.machine() in ("x86_64", "aarch64"), "not Linux as wheels are for")
class WheelsTest(ToolsTest):

    def test_programs_of_this_system_are_refused(self):
        faults = load(os.path.join(WHEELS, "check-wheel")).linux_faults(os.path.join(BIN, "svm-train"),
                                                                          platform.machine())
        self.assertTrue([fault for fault in faults if fault.startswith("needs lib")], faults)
        self.assertTrue([fault for fault in faults if fault.startswith("needs GLIBC")], faults)

    def test_programs_of_this_system_are_not_for_musl(self):
        faults = load(os.path.join(WHEELS, "check-wheel")).musl_faults(os.path.join(BIN, "svm-train"))
        self.assertIn("needs libc.so.6", faults)

    def test_programs_of_other_processors_are_refused(self):
        other = "aarch64" if platform.machine() == "x86_64" else "x86_64"
        faults = load(os.path.join(WHEELS, "check-wheel")).linux_faults(os.path.join(BIN, "svm-train"), other)
        self.assertIn("is not for " + other, faults)

    def test_other_names_are_refused(self):
        faults = load(os.path.join(WHEELS, "check-wheel")).wheel_faults("csmo-1-py3-none-linux_x86_64.whl")
        self.assertEqual(faults, ["this is no name that an index takes"])

    def old_glibc(self):
        folder = self.path("glibc").replace(" ", "-")
        self.addCleanup(shutil.rmtree, os.path.dirname(folder), True)
        made = run(os.path.join(WHEELS, "old-glibc"), "gcc", "2.17", folder)
        self.assertEqual(made.returncode, 0, made.stderr)
        return folder

    def link(self, text):
        source, program = self.path("program.c"), self.path("program")
        with open(source, "w", encoding="ascii") as file:
            file.write(text)
        linked = run("gcc", "-D_GNU_SOURCE", source, "-o", program, "-L" + self.old_glibc(),
                     "-lm", "-Wl,--no-as-needed,-l:libpthread.so.0")
        return linked, program

    @unittest.skipUnless(shutil.which("gcc"), "no gcc")
    def test_old_functions_are_linked_in_their_old_versions(self):
        linked, program = self.link("#include <pthread.h>\n#include <math.h>\n"
                                    "static void* nothing(void* x) { return x; }\n"
                                    "int main(int count, char** words) {\n  pthread_t thread;\n"
                                    "  (void)words;\n  if (exp(count) < 2) return 1;\n"
                                    "  return pthread_create(&thread, 0, nothing, 0) || "
                                    "pthread_join(thread, 0);\n}\n")
        self.assertEqual(linked.returncode, 0, linked.stderr)
        versions = run("readelf", "-W", "--dyn-syms", program).stdout
        self.assertIn("pthread_create@GLIBC_2.", versions)
        # The compiler's own start of programs asks for nothing newer, either.
        module = load(os.path.join(WHEELS, "check-wheel"))
        self.assertEqual(module.linux_faults(program, platform.machine()), [])
        self.assertEqual(run(program).returncode, 0)

    @unittest.skipUnless(shutil.which("gcc"), "no gcc")
    def test_newer_functions_are_not_linked(self):
        linked, _ = self.link("#include <unistd.h>\nint main(void) {\n  char bytes[8];\n"
                              "  return getentropy(bytes, sizeof bytes);\n}\n")
        self.assertIn("undefined reference to `getentropy'", linked.stderr)


class ReleaseTest(ToolsTest):

    def test_mistakes(self):
        tool = os.path.join(SOURCE, "tools", "release")
        for arguments, message in ((["--no-install"], "usage: tools/release"),
                                   (["--no-install", "--what", "folder"], "usage: tools/release"),
                                   (["--no-install", self.folder], "exists already"),
                                   (["--no-install", self.path("new"), "toy"], "there is no part toy"),
                                   (["--no-install", self.path("new"), "x86_64"], "name sdist, too")):
            with self.subTest(arguments):
                done = run("bash", tool, *arguments, cwd=self.folder)
                self.assertEqual(done.returncode, 1)
                self.assertIn(message, done.stderr)
        self.assertFalse(os.path.exists(self.path("new")))


if __name__ == "__main__":
    skip_without_build()
    unittest.main()
