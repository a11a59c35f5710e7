# The library with its headers, the command, and the data that ship with them.
include(CMakePackageConfigHelpers)
install(TARGETS scree scree_public EXPORT scree-targets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET scree_command)
  install(TARGETS scree_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(DIRECTORY src/scree DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp"
        PATTERN "*_internal.hpp" EXCLUDE PATTERN "app" EXCLUDE PATTERN "view" EXCLUDE)
foreach(folder models drives soils tyres scenarios studies)
  if(EXISTS ${PROJECT_SOURCE_DIR}/${folder})
    install(DIRECTORY ${folder} DESTINATION ${CMAKE_INSTALL_DATADIR}/scree)
  endif()
endforeach()
install(EXPORT scree-targets NAMESPACE scree:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/scree)
configure_package_config_file(cmake/scree-config.cmake.in ${PROJECT_BINARY_DIR}/scree-config.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/scree)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/scree-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/scree-config.cmake ${PROJECT_BINARY_DIR}/scree-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/scree)
