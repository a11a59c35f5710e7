include(CMakePackageConfigHelpers)
install(TARGETS scree scree_public EXPORT scree-targets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY src/scree DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(DIRECTORY models scenarios DESTINATION ${CMAKE_INSTALL_DATADIR}/scree)
install(EXPORT scree-targets NAMESPACE scree:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/scree)
configure_package_config_file(cmake/scree-config.cmake.in ${PROJECT_BINARY_DIR}/scree-config.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/scree)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/scree-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/scree-config.cmake ${PROJECT_BINARY_DIR}/scree-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/scree)
