# Writes the manual page and the completion of shells, as the command itself prints them.
# cmake -DCOMMAND=stoss -DFOLDER=pages -P StossPages.cmake
file(MAKE_DIRECTORY "${FOLDER}")
function(write_page file)
  execute_process(COMMAND "${COMMAND}" ${ARGN} OUTPUT_FILE "${FOLDER}/${file}" COMMAND_ERROR_IS_FATAL ANY)
endfunction()
write_page(stoss.1 man)
write_page(stoss completion bash)
write_page(_stoss completion zsh)
write_page(stoss.fish completion fish)
