#include "report/page.h"

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "report/page_files.h"

namespace vantage::report {

namespace {

// A kind of page, by the format of its document. Scripts are in the order in which they run: each uses those before it.
struct PageKind {
  std::string_view format, body;
  std::vector<std::string_view> styles, scripts;
};
const std::vector<PageKind>& page_kinds() {
  static const std::vector<PageKind> kKinds = {
      {"vantage report",
       "run.html",
       {"style.css"},
       {"base.js", "theme.js", "unpack.js", "track_data.js", "timeline.js", "tracks.js", "timeline_controls.js",
        "roofline.js", "bars.js", "table.js", "main.js"}},
      {"vantage sweep",
       "sweep.html",
       {"style.css", "sweep.css"},
       {"base.js", "theme.js", "unpack.js", "sweep_data.js", "sweep_state.js", "sweep_table.js", "sweep_dots.js",
        "sweep_scatter.js", "sweep_lines.js", "sweep_parallel.js", "sweep_filters.js", "sweep_designs.js",
        "sweep_main.js"}}};
  return kKinds;
}

const std::string& page_file(std::string_view name) {
  const EmbeddedFiles& files = page_files();
  const auto found =
      std::find_if(files.begin(), files.end(), [&](const EmbeddedFile& file) { return file.name == name; });
  VANTAGE_CHECK(found != files.end());
  return found->text;
}

void replace(std::string& text, std::string_view mark, std::string_view by) {
  const size_t at = text.find(mark);
  VANTAGE_CHECK(at != std::string::npos);
  text.replace(at, mark.size(), by);
}

// Within <script> a browser looks for "</script" and "<!--" alone, whatever the script's language is. In JSON "<"
// stands in strings only, where it may be written as a number.
std::string json_for_script(const Json& json) {
  const std::string text = json_line(json);
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text) {
    if (c == '<')
      safe += "\\u003c";
    else
      safe += c;
  }
  return safe;
}

std::string html_text(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '<': safe += "&lt;"; break;
      case '&': safe += "&amp;"; break;
      default: safe += c;
    }
  }
  return safe;
}

// All but the document and the title, whose marks are left.
std::string frame(std::string_view format) {
  const auto kind = std::ranges::find(page_kinds(), format, &PageKind::format);
  VANTAGE_CHECK(kind != page_kinds().end());
  std::string text = page_file("template.html"), styles, scripts;
  for (const std::string_view name : kind->styles) styles += page_file(name);
  for (const std::string_view name : kind->scripts) scripts += page_file(name);
  replace(text, "<!--BODY-->", page_file(kind->body));
  replace(text, "/*STYLE*/", styles);
  replace(text, "/*D3*/", "/*\n" + page_file("d3_licence.txt") + "*/\n" + page_file("d3.min.js"));
  replace(text, "/*SCRIPTS*/", scripts);
  return text;
}

}  // namespace

size_t page_bytes_without_document() {
  return frame("vantage report").size();
}

std::string page(const Json& document) {
  std::string text = frame(document.at("format").get<std::string>());
  // The document comes last, as it may hold any mark
  replace(text, "<!--TITLE-->", html_text(document.at("title").get<std::string>()));
  const size_t at = text.rfind("/*DOCUMENT*/");
  VANTAGE_CHECK(at != std::string::npos);
  text.replace(at, std::string_view("/*DOCUMENT*/").size(), json_for_script(document));
  return text;
}

}  // namespace vantage::report
