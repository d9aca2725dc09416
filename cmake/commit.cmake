# cmake -DFOLDER=SOURCES -DFILE=SOURCE -P commit.cmake: writes the function of cli/version.h that says which commit
# SOURCES are at. Without SOURCES, or without git, it says nothing.
set(commit "")
if(FOLDER)
  execute_process(
    COMMAND git -C ${FOLDER} log -1 --format=%h --abbrev=12
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
file(WRITE ${FILE} "#include \"cli/version.h\"

namespace vantage::cli {

std::string commit() {
  return \"${commit}\";
}

}  // namespace vantage::cli
")
