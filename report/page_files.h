// The parts of the page, which travel inside the library: template.html, style.css, the scripts, and d3 with its
// licence.
#pragma once

#include "base/embedded_file.h"

namespace vantage::report {

const EmbeddedFiles& page_files();

}  // namespace vantage::report
