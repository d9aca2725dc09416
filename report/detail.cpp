#include "report/detail.h"

#include <utility>

#include "base/json.h"
#include "sim/profile/recorded_run.h"

namespace vantage::report {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_of_a_name(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// By the engine; what none works on is FINISH or a transfer of nothing, and counts for the compute stage.
size_t stage_of(size_t engine) {
  constexpr std::array<size_t, sim::kAllEngines.size() + 1> kStages = {0, 1, 1, 1, 2, 1};
  return kStages[engine];
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
  const std::string_view word = insn.assembly.substr(0, insn.assembly.find(' '));
  const auto kind_found = kinds_.find(word);
  Kind& kind = kind_found != kinds_.end()
                   ? kind_found->second
                   : kinds_.emplace(std::string(word), Kind{kinds_.size(), insn.engine}).first->second;
  const SplitText text = split_numbers(insn.assembly);
  const auto [found, is_new] = forms_.try_emplace(text.form);
  Form& form = found->second;
  if (is_new) {
    form.number = forms_.size() - 1;
    form.of_kind = kind.forms++;
    form.kind = kind.number;
    form.columns.resize(text.numbers.size());
    form.last.resize(text.numbers.size());
  }
  for (size_t i = 0; i < text.numbers.size(); ++i) {
    form.columns[i].add(text.numbers[i] - form.last[i]);
    form.last[i] = text.numbers[i];
  }
  add_to(kKind, static_cast<int64_t>(kind.number));
  add_to(kForm, static_cast<int64_t>(form.of_kind));
  add_to(kEngine, static_cast<int64_t>(insn.engine) - static_cast<int64_t>(kind.engine));
  add_to(kDispatched, insn.dispatched - std::exchange(dispatched_, insn.dispatched));
  add_to(kIssued, insn.issued - std::exchange(issued_[stage_of(insn.engine)], insn.issued));
  add_to(kBegan, insn.began - insn.issued);
  add_to(kEnded, insn.ended - insn.began);
  add_to(kRetired, insn.retired - insn.ended);
  add_to(kWaitedFor, insn.waited_for < 0 ? 0 : static_cast<int64_t>(count_) - insn.waited_for);
  ++count_;
}

Json Detail::json(Extent extent) const {
  Json json = {{"count", count_}, {"kinds", Json::array()}};
  for (size_t i = 0; i < kinds_.size(); ++i) json["kinds"].push_back(nullptr);
  for (const auto& [text, kind] : kinds_) json["kinds"][kind.number] = {{"name", text}, {"engine", kind.engine}};
  constexpr std::array<const char*, kColumns> kNames = {"kind",  "form",  "engine",  "dispatched", "issued",
                                                        "began", "ended", "retired", "waited_for"};
  for (size_t c = 0; c < kColumns; ++c) {
    if (c == kForm && extent != Extent::kAll) continue;
    if ((c == kDispatched || c == kRetired || c == kWaitedFor) && extent == Extent::kWorkOnly) continue;
    json["columns"][kNames[c]] = columns_[c].packed();
  }
  if (extent != Extent::kAll) return json;
  Json forms = Json::array();
  for (size_t i = 0; i < forms_.size(); ++i) forms.push_back(nullptr);
  for (const auto& [text, form] : forms_) {
    Json columns = Json::array();
    for (const Column& column : form.columns) columns.push_back(column.packed());
    forms[form.number] = {{"text", text}, {"kind", form.kind}, {"numbers", std::move(columns)}};
  }
  json["forms"] = std::move(forms);
  return json;
}

}  // namespace vantage::report
