# Manual pages and completion, made by the command itself from what its parser knows.
if(NOT TARGET scree_command)
  return()
endif()
set(manual ${PROJECT_BINARY_DIR}/manual)
add_custom_command(
  OUTPUT ${manual}/man1/scree.1 ${manual}/bash/scree ${manual}/zsh/_scree
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${manual}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${manual}/bash ${manual}/zsh
  COMMAND scree_command man --out ${manual}/man1
  COMMAND scree_command completion bash > ${manual}/bash/scree
  COMMAND scree_command completion zsh > ${manual}/zsh/_scree
  DEPENDS scree_command COMMENT "Manual pages and completion" VERBATIM)
add_custom_target(scree_manual ALL DEPENDS ${manual}/man1/scree.1)
# Absent where only some targets were built.
install(DIRECTORY ${manual}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} OPTIONAL)
install(FILES ${manual}/bash/scree DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions OPTIONAL)
install(FILES ${manual}/zsh/_scree DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions OPTIONAL)
