# Installation: programs, libraries, headers, documents, and the files that help others find them.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/libsvm)
install(TARGETS ${programs} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS ${libraries} EXPORT libsvm-targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} ${CMAKE_INSTALL_INCLUDEDIR}/libsvm)
install(FILES svm.h svm_ext.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/libsvm)

# The tools in Python find their programs relative to share/. They have the names that Debian gave them.
set(scripts)
if(UNIX)
  set(scripts svm-easy svm-subset svm-checkdata svm-convert svm-export svm-forest)
  set(tools_folder ${CMAKE_INSTALL_DATADIR}/csmo)
  foreach(tool easy grid subset checkdata convert export forest)
    install(PROGRAMS tools/${tool}.py DESTINATION ${tools_folder})
  endforeach()
  install(DIRECTORY tools/svmexport tools/svmgrid tools/svmtable DESTINATION ${tools_folder}
    FILES_MATCHING PATTERN *.py PATTERN __pycache__ EXCLUDE)
  file(RELATIVE_PATH to_tools ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_DATADIR}/csmo)
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/parts)
  foreach(script ${scripts})
    string(REPLACE svm- "" tool ${script})
    file(CREATE_LINK ${to_tools}/${tool}.py ${CMAKE_CURRENT_BINARY_DIR}/parts/${script} SYMBOLIC)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/parts/${script} DESTINATION ${CMAKE_INSTALL_BINDIR})
  endforeach()
  foreach(program ${programs})
    install(FILES docs/completion/${program}
      DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  endforeach()
endif()

# Man pages are kept in the source tree, because none of our programs can run during a build for
# another processor. Links from README.md to the other pages stay valid.
set(man_pages ${programs} ${scripts})
list(TRANSFORM man_pages PREPEND docs/man/)
list(TRANSFORM man_pages APPEND .1)
install(FILES ${man_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES COPYRIGHT README.md CHANGELOG.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})
file(GLOB pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/*.md)
install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs)
install(DIRECTORY docs/images docs/results docs/notes DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs)

install(EXPORT libsvm-targets NAMESPACE libsvm:: DESTINATION ${package_folder})
configure_package_config_file(cmake/libsvm-config.cmake.in libsvm-config.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(libsvm-config-version.cmake
  VERSION ${SVM_INTERFACE_VERSION} COMPATIBILITY SameMajorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/libsvm-config.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/libsvm-config-version.cmake
  DESTINATION ${package_folder})

# The pkg-config file derives its prefix from its own path, so that `cmake --install --prefix` works.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}" OR IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
  set(SVM_PC_PREFIX ${CMAKE_INSTALL_PREFIX})
  set(SVM_PC_LIBDIR ${CMAKE_INSTALL_FULL_LIBDIR})
  set(SVM_PC_INCLUDEDIR ${CMAKE_INSTALL_FULL_INCLUDEDIR})
else()
  file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  string(REGEX REPLACE "/$" "" up "${up}")
  set(SVM_PC_PREFIX "\${pcfiledir}/${up}")
  set(SVM_PC_LIBDIR "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
  set(SVM_PC_INCLUDEDIR "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()

# Libraries that a C program has to link for the static library: those that this C++ compiler adds.
set(standard_libraries ${CMAKE_CXX_IMPLICIT_LINK_LIBRARIES})
list(REMOVE_ITEM standard_libraries ${CMAKE_C_IMPLICIT_LINK_LIBRARIES} "")
list(REMOVE_DUPLICATES standard_libraries)
list(TRANSFORM standard_libraries PREPEND -l REGEX "^[^/-]")
list(JOIN standard_libraries " " SVM_PC_LIBS_PRIVATE)
string(STRIP "${SVM_PC_LIBS_PRIVATE} ${CMAKE_THREAD_LIBS_INIT}" SVM_PC_LIBS_PRIVATE)
set(SVM_PC_LIBS "-L\${libdir} -lsvm")
if(NOT svm IN_LIST libraries)
  string(APPEND SVM_PC_LIBS " ${SVM_PC_LIBS_PRIVATE}")
  set(SVM_PC_LIBS_PRIVATE "")
endif()
configure_file(cmake/libsvm.pc.in libsvm.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/libsvm.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
