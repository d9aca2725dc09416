#include "native/externals.h"

#include <algorithm>
#include <atomic>
#include <cctype>

#include "base/error.h"

namespace vantage::native {

namespace {

bool is_c_name(std::string_view name) {
  const auto fits = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
         std::all_of(name.begin(), name.end(), fits);
}

std::string describe(const External::Parameter& parameter) {
  if (!parameter.is_tensor) return vantage::name(*parameter.dtype);
  return fmt::format("{}{}tensor", parameter.is_written ? "" : "const ",
                     parameter.dtype ? vantage::name(*parameter.dtype) + " " : "");
}

}  // namespace

std::string describe(const External& external) {
  std::string text = external.result.is_void() ? "void (" : vantage::name(external.result) + " (";
  for (size_t i = 0; i < external.parameters.size(); ++i) {
    text += (i == 0 ? "" : ", ") + describe(external.parameters[i]);
  }
  return text + ")";
}

void Externals::add(External external, const std::vector<DType>& elements) {
  const std::string& name = external.name;
  if (!is_c_name(name)) fail("'{}' cannot name a function; use letters, digits and underscores", name);
  if (external.address == nullptr) fail("the function {} is a null pointer", name);
  if (by_name_.count(name) != 0) fail("there are two functions {}; give each its own name", name);
  auto next = elements.begin();
  for (External::Parameter& parameter : external.parameters) {
    if (parameter.is_tensor && next != elements.end()) parameter.dtype = *next++;
  }
  const auto tensors = std::count_if(external.parameters.begin(), external.parameters.end(),
                                     [](const External::Parameter& p) { return p.is_tensor; });
  if (!elements.empty() && static_cast<size_t>(tensors) != elements.size()) {
    fail("{} takes {} tensors, but the types of {} are given; give one of each, or none", name, tensors,
         elements.size());
  }
  std::string key = name;
  by_name_.emplace(std::move(key), std::move(external));
}

const External* Externals::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &found->second;
}

std::vector<std::string> Externals::names() const {
  std::vector<std::string> names;
  for (const auto& [name, external] : by_name_) names.push_back(name);
  return names;
}

std::string extern_symbol(std::string_view name) {
  return "vantage_extern_" + std::string(name);
}

void set_extern(void* variable, const External& external) {
  std::atomic_ref<void (*)()> pointer(*static_cast<void (**)()>(variable));
  void (*known)() = nullptr;
  if (pointer.compare_exchange_strong(known, external.address) || known == external.address) return;
  fail("the library calls another function {} already, given when it was loaded first; give the same", external.name);
}

}  // namespace vantage::native
