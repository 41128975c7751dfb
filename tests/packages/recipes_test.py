"""Recipes of package managers: what can be run without the managers.

Build folders are configured in earnest, and get what is built already (tests/packages/recipes/cmake).
"""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import types
import unittest

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from support import BIN, SOURCE, ToolsTest, skip_without_build  # noqa: E402

PACKAGING = os.path.join(SOURCE, "packaging")
RECIPES = os.path.join(SOURCE, "tests", "packages", "recipes")


def read(*path):
    with open(os.path.join(SOURCE, *path), encoding="utf-8") as file:
        return file.read()


def version():
    return re.search(r'kPackageVersion\[\] = "(.*)"', read("api", "version.cpp")).group(1)


class RecipeTest(ToolsTest):

    def setUp(self):
        super().setUp()
        # A copy of the sources without build folders, which recipes make theirs in.
        self.source = self.path("source")
        shutil.copytree(SOURCE, self.source, symlinks=True,
                        ignore=shutil.ignore_patterns("build", "build-*", ".git", "tests",
                                                     "__pycache__"))
        self.prefix = self.path("prefix").replace(" ", "-")
        os.makedirs(self.prefix)
        self.addCleanup(shutil.rmtree, os.path.dirname(self.prefix), True)
        self.env = dict(os.environ, PREFIX=self.prefix, SVM_BIN_DIR=BIN,
                        SVM_CMAKE=shutil.which("cmake"), LC_ALL="C",
                        PATH=RECIPES + os.pathsep + os.environ["PATH"])
        self.env.pop("LD_LIBRARY_PATH", None)

    def run_ok(self, *command, cwd=None, env=None):
        run = subprocess.run(command, cwd=cwd or self.folder, env=env or self.env,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, universal_newlines=True)
        self.assertEqual(run.returncode, 0, run.stdout)
        return run.stdout


class CondaTest(RecipeTest):

    def meta(self):
        """Returns the recipe, rendered as far as it needs to be."""
        try:
            import yaml
        except ImportError:
            self.skipTest("no yaml")
        text = re.sub(r"{%.*%}\n", "", read("packaging", "conda-forge", "meta.yaml"))
        text = text.replace("{{ version }}", version())
        text = re.sub(r'{{ (compiler|stdlib)\("(\w+)"\) }}', r"\1_\2", text)
        self.assertNotIn("{{", text)
        return yaml.safe_load(text)

    def test_build_and_tests(self):
        meta = self.meta()
        recipe = os.path.join(PACKAGING, "conda-forge")
        self.assertTrue(os.path.samefile(os.path.join(recipe, meta["source"]["path"]), SOURCE))
        self.assertTrue(os.path.isfile(os.path.join(SOURCE, meta["about"]["license_file"])))
        self.run_ok("bash", os.path.join(recipe, "build.sh"), cwd=self.source)
        path = os.path.join(self.prefix, "bin") + os.pathsep + os.environ["PATH"]
        for command in meta["test"]["commands"]:
            with self.subTest(command):
                self.run_ok("bash", "-c", command, env=dict(self.env, PATH=path))


class HomebrewTest(RecipeTest):

    def test_install_and_test(self):
        if not shutil.which("ruby"):
            self.skipTest("no ruby")
        formula = os.path.join(PACKAGING, "homebrew", "csmo.rb")
        self.assertIn("Syntax OK", self.run_ok("ruby", "-wc", formula))
        output = self.run_ok("ruby", os.path.join(RECIPES, "formula.rb"), formula, self.source,
                             self.prefix)
        self.assertIn("csmo-%s.tar.gz" % version(), output)
        self.assertTrue(os.path.isfile(os.path.join(self.prefix, "include", "svm.h")))
        self.assertTrue(os.path.isfile(os.path.join(self.prefix, "include", "svm_ext.h")))


class VcpkgTest(RecipeTest):

    def test_port_and_user(self):
        port = json.loads(read("packaging", "vcpkg", "vcpkg.json"))
        for feature in ([], ["tools"]):
            with self.subTest(feature):
                self.assertTrue(set(feature) <= set(port["features"]))
                package = self.prefix + "/" + "-".join(["vcpkg"] + feature)
                self.run_ok("cmake", "-DPORT=" + os.path.join(self.source, "packaging", "vcpkg"),
                            "-DPACKAGE=" + package, "-DFEATURES=" + ";".join(feature),
                            "-P", os.path.join(RECIPES, "vcpkg.cmake"))
                self.assertFalse(os.path.exists(package + "/bin"))
                self.assertEqual(sorted(os.listdir(package + "/share")),
                                 ["csmo", "unofficial-libsvm"])
                self.assertTrue(os.path.isfile(package + "/share/csmo/copyright"))
                tool = package + "/tools/csmo/svm-train"
                self.assertEqual(os.path.exists(tool), bool(feature))
        for target, package_name in (("unofficial::libsvm::libsvm", "unofficial-libsvm"),
                                     ("libsvm::svm", "libsvm")):
            with self.subTest(target):
                self.use(package, package_name, target)

    def use(self, package, package_name, target):
        """Builds and runs a user's program that is linked to the target."""
        folder = os.path.join(self.prefix, "user-" + package_name)
        os.makedirs(folder)
        shutil.copy(os.path.join(SOURCE, "tests", "cmake", "install", "consumer.c"), folder)
        with open(os.path.join(folder, "CMakeLists.txt"), "w", encoding="ascii") as file:
            file.write("cmake_minimum_required(VERSION 3.16)\nproject(user LANGUAGES C CXX)\n"
                       "find_package(%s CONFIG REQUIRED)\nadd_executable(user consumer.c)\n"
                       "target_link_libraries(user PRIVATE %s)\n" % (package_name, target))
        cmake = self.env["SVM_CMAKE"]
        self.run_ok(cmake, "-S", folder, "-B", folder + "/b", "-DCMAKE_PREFIX_PATH=" + package)
        self.run_ok(cmake, "--build", folder + "/b")
        self.run_ok(folder + "/b/user")


class Info:
    """Stands for Conan's cpp_info."""

    def __init__(self):
        self.properties = {}
        self.system_libs = []

    def set_property(self, name, value):
        self.properties[name] = value


class ConanTest(RecipeTest):

    def recipe(self):
        """Loads the recipe; of Conan it sees empty modules with the names that it imports."""
        path = os.path.join(PACKAGING, "conan", "conanfile.py")
        tree = ast.parse(read(path))
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                module = types.ModuleType(node.module)
                for name in node.names:
                    setattr(module, name.name, type(name.name, (), {}))
                sys.modules[node.module] = module
                self.addCleanup(sys.modules.pop, node.module)
        names = {}
        exec(compile(tree, path, "exec"), names)  # pylint: disable=exec-used
        return names["Csmo"]()

    def test_package_info_names_what_is_installed(self):
        recipe = self.recipe()
        recipe.cpp_info = Info()
        recipe.settings = types.SimpleNamespace(os="Linux")
        recipe.package_info()
        self.run_ok(self.env["SVM_CMAKE"], "--install", BIN, "--prefix", self.prefix)
        libraries = set(os.listdir(self.prefix + "/lib"))
        for name in recipe.cpp_info.libs:
            self.assertIn("lib%s.a" % name, libraries)
        for folder in recipe.cpp_info.includedirs:
            self.assertTrue(os.path.isdir(os.path.join(self.prefix, folder)), folder)
        user = read("packaging", "conan", "test_package", "CMakeLists.txt")
        properties = recipe.cpp_info.properties
        self.assertIn("find_package(%s " % properties["cmake_file_name"], user)
        self.assertIn(properties["cmake_target_name"] + ")", user)
        # What the package says is enough for its user's program.
        program = os.path.join(self.prefix, "consumer")
        info = recipe.cpp_info
        self.run_ok("c++", "-x", "c", PACKAGING + "/conan/test_package/consumer.c", "-x", "none",
                    *["-I" + os.path.join(self.prefix, each) for each in info.includedirs],
                    *[os.path.join(self.prefix, "lib", "lib%s.a" % name) for name in info.libs],
                    *["-l" + name for name in info.system_libs], "-o", program)
        self.assertIn(version(), self.run_ok(program))

    def test_test_package_is_python(self):
        ast.parse(read("packaging", "conan", "test_package", "conanfile.py"))


if __name__ == "__main__":
    skip_without_build()
    unittest.main()
