"""Conan 2 recipe of the tree that it lies in."""

import os

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, rmdir


class Csmo(ConanFile):
    name = "csmo"
    version = "1.0.0"
    description = "Support vector machines, compatible with LIBSVM"
    license = "BSD-3-Clause"
    provides = "libsvm"
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False]}
    default_options = {"shared": False, "fPIC": True}
    implements = ["auto_shared_fpic"]

    def export_sources(self):
        source = os.path.join(self.recipe_folder, os.pardir, os.pardir)
        copy(self, "*", source, self.export_sources_folder, excludes=("build*", ".git*"))

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["SVM_BUILD_TESTS"] = False
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "COPYRIGHT", self.source_folder, os.path.join(self.package_folder, "licenses"))
        for folder in ("cmake", "pkgconfig"):  # Conan writes its own
            rmdir(self, os.path.join(self.package_folder, "lib", folder))

    def package_info(self):
        self.cpp_info.libs = ["svm"]
        self.cpp_info.includedirs = ["include", os.path.join("include", "libsvm")]
        self.cpp_info.set_property("cmake_file_name", "libsvm")
        self.cpp_info.set_property("cmake_target_name", "libsvm::svm")
        self.cpp_info.set_property("cmake_target_aliases", ["libsvm::libsvm"])
        self.cpp_info.set_property("pkg_config_name", "libsvm")
        if self.settings.os in ("Linux", "FreeBSD"):
            self.cpp_info.system_libs = ["pthread", "m"]
