# Runs a port as vcpkg does: cmake -DPORT=FOLDER -DPACKAGE=FOLDER -DFEATURES=... -P vcpkg.cmake
# vcpkg's functions that it calls are stood for by these; the real ones do more.
cmake_minimum_required(VERSION 3.16)
set(CURRENT_PACKAGES_DIR ${PACKAGE})

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "failed: ${ARGN}")
  endif()
endfunction()

function(vcpkg_cmake_configure)
  cmake_parse_arguments(given "" SOURCE_PATH OPTIONS ${ARGN})
  run(cmake -S ${given_SOURCE_PATH} -B ${PACKAGE}-build -DBUILD_SHARED_LIBS=OFF
    -DCMAKE_INSTALL_PREFIX=${PACKAGE} -DCMAKE_INSTALL_LIBDIR=lib ${given_OPTIONS})
endfunction()

function(vcpkg_cmake_install)
  run(cmake --build ${PACKAGE}-build)
  run(cmake --install ${PACKAGE}-build)
endfunction()

# vcpkg moves the folder to share/, where find_package looks as well.
function(vcpkg_cmake_config_fixup)
  cmake_parse_arguments(given "" "PACKAGE_NAME;CONFIG_PATH" "" ${ARGN})
  if(NOT EXISTS ${PACKAGE}/${given_CONFIG_PATH}/${given_PACKAGE_NAME}-config.cmake)
    message(FATAL_ERROR "there is no ${given_PACKAGE_NAME} in ${given_CONFIG_PATH}")
  endif()
endfunction()

function(vcpkg_fixup_pkgconfig)
endfunction()

function(vcpkg_copy_tools)
  cmake_parse_arguments(given AUTO_CLEAN "" TOOL_NAMES ${ARGN})
  foreach(name ${given_TOOL_NAMES})
    file(COPY ${PACKAGE}/bin/${name} DESTINATION ${PACKAGE}/tools/csmo)
  endforeach()
endfunction()

function(vcpkg_install_copyright)
  cmake_parse_arguments(given "" "" FILE_LIST ${ARGN})
  file(MAKE_DIRECTORY ${PACKAGE}/share/csmo)
  configure_file(${given_FILE_LIST} ${PACKAGE}/share/csmo/copyright COPYONLY)
endfunction()

include(${PORT}/portfile.cmake)
