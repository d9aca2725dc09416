#include "network/gpu_choice.h"

#include <charconv>
#include <tuple>

namespace vantage {

std::optional<GpuName> parse_gpu_name(std::string_view name) {
  static constexpr std::string_view kPrefix = "sm_";
  if (!name.starts_with(kPrefix)) return std::nullopt;
  const char* const end = name.data() + name.size();
  GpuName result;
  const auto [rest, error] = std::from_chars(name.data() + kPrefix.size(), end, result.capability);
  if (error != std::errc() || result.capability < 10 || end - rest > 1) return std::nullopt;
  result.has_letter = rest != end;
  if (result.has_letter && (*rest < 'a' || *rest > 'z')) return std::nullopt;
  return result;
}

std::optional<size_t> choose_gpu_code(const std::vector<std::string>& names, std::string_view architecture) {
  const std::optional<GpuName> own = parse_gpu_name(architecture);
  if (!own) return std::nullopt;
  // Whether it is the same capability, has a letter, is of the same generation; and how new it is.
  using Rank = std::tuple<bool, bool, bool, int>;
  std::optional<Rank> best;
  std::optional<size_t> chosen;
  for (size_t i = 0; i < names.size(); ++i) {
    const std::optional<GpuName> name = parse_gpu_name(names[i]);
    if (!name || name->capability > own->capability) continue;
    const bool is_same = name->capability == own->capability;
    if (name->has_letter && !is_same) continue;
    const Rank rank{is_same, name->has_letter, name->capability / 10 == own->capability / 10, name->capability};
    if (best && *best >= rank) continue;
    best = rank;
    chosen = i;
  }
  return chosen;
}

}  // namespace vantage
