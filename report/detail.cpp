#include "report/detail.h"

#include "base/json.h"

namespace vantage::report {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_of_a_name(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

}  // namespace

SplitText split_numbers(std::string_view text) {
  SplitText split;
  for (size_t i = 0; i < text.size();) {
    const size_t sign = text[i] == '-' && i + 1 < text.size() ? 1 : 0;
    if (!is_digit(text[i + sign]) || (i > 0 && is_of_a_name(text[i - 1]))) {
      split.form += text[i++];
      continue;
    }
    int64_t number = 0;
    for (i += sign; i < text.size() && is_digit(text[i]); ++i) number = 10 * number + (text[i] - '0');
    split.form += '#';
    split.numbers.push_back(sign != 0 ? -number : number);
  }
  return split;
}

void Detail::add(const Insn& insn) {
  const SplitText text = split_numbers(insn.assembly);
  const auto [found, is_new] = forms_.try_emplace(text.form);
  Form& form = found->second;
  if (is_new) {
    form.number = forms_.size() - 1;
    form.columns.resize(text.numbers.size());
    form.last.resize(text.numbers.size());
  }
  for (size_t i = 0; i < text.numbers.size(); ++i) {
    form.columns[i].add(text.numbers[i] - form.last[i]);
    form.last[i] = text.numbers[i];
  }
  const std::string_view kind = insn.assembly.substr(0, insn.assembly.find(' '));
  const size_t kind_number = kinds_.try_emplace(std::string(kind), kinds_.size()).first->second;
  add_to(kKind, static_cast<int64_t>(kind_number));
  add_to(kForm, static_cast<int64_t>(form.number));
  add_to(kEngine, static_cast<int64_t>(insn.engine));
  add_to(kDispatched, insn.dispatched - dispatched_);
  add_to(kIssued, insn.issued - insn.dispatched);
  add_to(kBegan, insn.began - insn.issued);
  add_to(kEnded, insn.ended - insn.began);
  add_to(kRetired, insn.retired - insn.ended);
  add_to(kWaitedFor, insn.waited_for < 0 ? 0 : static_cast<int64_t>(count_) - insn.waited_for);
  dispatched_ = insn.dispatched;
  ++count_;
}

Json Detail::json(bool with_texts) const {
  Json json = {{"count", count_}};
  std::vector<std::string> kinds(kinds_.size());
  for (const auto& [text, number] : kinds_) kinds[number] = text;
  json["kinds"] = kinds;
  constexpr std::array<const char*, kColumns> kNames = {"kind",  "form",  "engine",  "dispatched", "issued",
                                                        "began", "ended", "retired", "waited_for"};
  for (size_t c = 0; c < kColumns; ++c) {
    if (c != kForm || with_texts) json["columns"][kNames[c]] = columns_[c].packed();
  }
  if (!with_texts) return json;
  Json forms = Json::array();
  for (size_t i = 0; i < forms_.size(); ++i) forms.push_back(nullptr);
  for (const auto& [text, form] : forms_) {
    Json columns = Json::array();
    for (const Column& column : form.columns) columns.push_back(column.packed());
    forms[form.number] = {{"text", text}, {"numbers", std::move(columns)}};
  }
  json["forms"] = std::move(forms);
  return json;
}

}  // namespace vantage::report
