# cmake -DTOOL=PROGRAM -DFOLDER=F -P said.cmake: the tool's manual pages (F/man1) and what completes its command lines in
# bash (F/vantage) and zsh (F/_vantage).
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
set(tool ${CMAKE_COMMAND} -E env --unset=VANTAGE_CALLED_AS --unset=VANTAGE_LAUNCHER ${TOOL})
execute_process(COMMAND ${tool} man ${FOLDER}/man1 OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${tool} completion bash OUTPUT_FILE ${FOLDER}/vantage COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${tool} completion zsh OUTPUT_FILE ${FOLDER}/_vantage COMMAND_ERROR_IS_FATAL ANY)
