# Makes archives of an installation by CPack, in the build folder:
#   cpack -G TGZ    cpack -G RPM
# Debian's packages are in packaging/debian, and tools/release makes the archive of the sources.
set(CPACK_GENERATOR TGZ)
set(CPACK_PACKAGE_NAME csmo)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_VENDOR "the csmo authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Support vector machines, compatible with LIBSVM")
set(CPACK_PACKAGE_DESCRIPTION
  "Programs and a library for support vector machines, with LIBSVM's interface and results.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/COPYRIGHT)
set(CPACK_STRIP_FILES ON)

# The RPM replaces LIBSVM's.
string(REGEX REPLACE "\\.0$" "" interface ${SVM_INTERFACE_VERSION})
set(CPACK_RPM_FILE_NAME RPM-DEFAULT)
set(CPACK_RPM_PACKAGE_LICENSE BSD-3-Clause)
set(CPACK_RPM_PACKAGE_GROUP Applications/Engineering)
set(CPACK_RPM_PACKAGE_PROVIDES "libsvm = ${interface}, libsvm-devel = ${interface}")
set(CPACK_RPM_PACKAGE_CONFLICTS "libsvm, libsvm-devel")
foreach(folder share/bash-completion share/bash-completion/completions share/man share/man/man1
        ${CMAKE_INSTALL_LIBDIR}/cmake ${CMAKE_INSTALL_LIBDIR}/pkgconfig)  # not ours alone
  list(APPEND CPACK_RPM_EXCLUDE_FROM_AUTO_FILELIST_ADDITION /usr/${folder})
endforeach()

include(CPack)
