# `cmake --build build/release --target package`: a Debian package with command, library, data, manual pages,
# completion and desktop entry. Configure with -DSCREE_NATIVE=OFF for a package that is carried elsewhere.
if(TARGET scree_view)
  install(FILES packaging/scree.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
  install(FILES packaging/scree.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
endif()
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME scree)
set(CPACK_PACKAGE_VENDOR "The scree authors")
set(CPACK_PACKAGE_CONTACT "The scree authors <scree@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DESCRIPTION
    "scree simulates mobile robots on rough ground: wheels on suspensions, tyres that slip, ground that is anything
 but flat. This package holds the command, the C++ library with its headers, robot models and scenarios.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
# Libraries are found from the binaries where dpkg-dev is installed.
find_program(SCREE_SHLIBDEPS dpkg-shlibdeps)
if(SCREE_SHLIBDEPS)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
endif()
# GDAL is opened by name, so that the binaries do not say that they need it.
if(SCREE_HAVE_GDAL)
  execute_process(COMMAND dpkg-query --search ${SCREE_GDAL_FILE} OUTPUT_VARIABLE owner ERROR_QUIET)
  if(owner MATCHES "^([a-z0-9.+-]+)")
    set(CPACK_DEBIAN_PACKAGE_DEPENDS ${CMAKE_MATCH_1})
  endif()
endif()
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "gnuplot-nox, fonts-dejavu-core, ffmpeg")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libeigen3-dev, libfmt-dev")
include(CPack)
