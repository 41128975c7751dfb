# Sets gtest_main to what a GoogleTest program links: an installed library where it suits compiler
# and processor, else one built from the sources that distributions install, else from downloaded
# ones, if that is allowed.
set(SVM_GTEST_SOURCE /usr/src/googletest CACHE PATH "Folder of GoogleTest's sources")

include(CheckCXXSourceCompiles)
find_package(GTest QUIET)
if(TARGET GTest::gtest_main)
  set(gtest_main GTest::gtest_main)
elseif(TARGET GTest::Main)  # CMake before 3.20
  set(gtest_main GTest::Main)
endif()
if(gtest_main)
  # It may have been compiled for another processor or standard library.
  set(CMAKE_REQUIRED_LIBRARIES ${gtest_main})
  check_cxx_source_compiles("
    #include <gtest/gtest.h>
    TEST(Links, WithTheStandardLibrary) { EXPECT_PRED_FORMAT2(testing::IsSubstring, \"\", std::string()); }
  " SVM_GTEST_LINKS)
  unset(CMAKE_REQUIRED_LIBRARIES)
  if(SVM_GTEST_LINKS)
    return()
  endif()
endif()

# Options of GoogleTest itself, for its folder alone.
set(CMAKE_POLICY_DEFAULT_CMP0077 NEW)
set(INSTALL_GTEST OFF)
set(BUILD_GMOCK OFF)
set(BUILD_SHARED_LIBS OFF)
set(gtest_main gtest_main)
if(EXISTS ${SVM_GTEST_SOURCE}/CMakeLists.txt)
  message(STATUS "Building GoogleTest from ${SVM_GTEST_SOURCE}")
  add_subdirectory(${SVM_GTEST_SOURCE} googletest EXCLUDE_FROM_ALL)
elseif(SVM_FETCH_GTEST)
  message(STATUS "Fetching GoogleTest 1.12.1")
  include(FetchContent)
  FetchContent_Declare(googletest
    GIT_REPOSITORY https://github.com/google/googletest.git
    GIT_TAG release-1.12.1)
  FetchContent_MakeAvailable(googletest)
else()
  message(FATAL_ERROR "The tests need GoogleTest, which was not found.  Install it (package libgtest-dev "
    "of Debian and Ubuntu, gtest-devel of Fedora), say where its sources are "
    "(-DSVM_GTEST_SOURCE=FOLDER), let it be downloaded (-DSVM_FETCH_GTEST=ON), or leave the tests "
    "out (-DSVM_BUILD_TESTS=OFF).")
endif()
