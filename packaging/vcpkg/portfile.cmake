# An overlay port of the tree that contains it; packaging/README.md says what a release needs.
set(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../..")

vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}" OPTIONS -DSVM_BUILD_TESTS=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME libsvm CONFIG_PATH lib/cmake/libsvm)
vcpkg_fixup_pkgconfig()

set(programs svm-train svm-predict svm-scale svm-grid)
if("tools" IN_LIST FEATURES)
  vcpkg_copy_tools(TOOL_NAMES ${programs} AUTO_CLEAN)
endif()
# Ports contain neither programs nor documents, and only the libraries of the debug build.
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/bin" "${CURRENT_PACKAGES_DIR}/debug/bin"
  "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
foreach(folder bash-completion csmo doc man)
  file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/share/${folder}")
endforeach()

# vcpkg's port of LIBSVM has this package and this target.
file(WRITE "${CURRENT_PACKAGES_DIR}/share/unofficial-libsvm/unofficial-libsvm-config.cmake" [[
include(CMakeFindDependencyMacro)
find_dependency(libsvm CONFIG)
if(NOT TARGET unofficial::libsvm::libsvm)
  add_library(unofficial::libsvm::libsvm INTERFACE IMPORTED)
  set_target_properties(unofficial::libsvm::libsvm PROPERTIES INTERFACE_LINK_LIBRARIES libsvm::svm)
endif()
]])
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/COPYRIGHT")
