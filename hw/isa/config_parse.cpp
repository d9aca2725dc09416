// From JSON to a sound Config: which keys there are, which values they take, and what must hold between them.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/json_object.h"
#include "base/math.h"
#include "base/suggest.h"
#include "hw/isa/config.h"
#include "hw/isa/layout.h"

namespace vantage::isa {

using isa::Memory;

namespace {

const ConfigKey* find_key(const std::string& name) {
  const auto& keys = config_keys();
  const auto it = std::find_if(keys.begin(), keys.end(), [&](const ConfigKey& key) { return key.name == name; });
  return it == keys.end() ? nullptr : &*it;
}

std::vector<std::string> key_names() {
  std::vector<std::string> names;
  for (const ConfigKey& key : config_keys()) names.push_back(key.name);
  return names;
}

std::string read_text(const JsonObject& json, const ConfigKey& key) {
  const Json& value = json.value(key.name);
  const std::string text = value.is_string() ? value.get<std::string>() : "";
  if (std::find(key.known.begin(), key.known.end(), text) != key.known.end()) return text;
  const std::string hint = did_you_mean(text, std::vector<std::string>(key.known.begin(), key.known.end()));
  json.refuse(key.name, alternatives(key.known) + (hint.starts_with("; did") ? hint : ""));
}

// For who gives a size where its logarithm is wanted: "; 32768 bytes is 15".
std::string as_logarithm(const Json& value, const ConfigKey& key) {
  if (key.unit.empty() || !value.is_number_integer() || value < key.max + 1) return "";
  const auto size = value.get<uint64_t>();
  const int log = std::bit_width(size) - 1;
  if (std::has_single_bit(size) && log >= key.min && log <= key.max) {
    return fmt::format("; {} {} is {}", size, key.unit, log);
  }
  const int example = std::max(1, key.vta_default);
  return fmt::format("; it is a logarithm: {} {} is {}", 1 << example, key.unit, example);
}

void read_key(const JsonObject& json, const ConfigKey& key, ConfigKeys& keys) {
  try {
    if (key.text != nullptr) {
      keys.*key.text = read_text(json, key);
    } else {
      keys.*key.number = json.integer(key.name, key.min, key.max);
    }
  } catch (const Error& e) {
    fail("{}{} ({})", e.what(), as_logarithm(json.value(key.name), key), key.meaning);
  }
}

// LOG_BLOCK is both sides of the tile, so a side of its own must agree with it, lest one of them does nothing unsaid. A
// tile that is not square has its depth in LOG_BLOCK and LOG_BLOCK_IN, and other columns.
void check_sides(const JsonObject& json, const ConfigKeys& keys) {
  if (json.has("LOG_BLOCK_IN") && keys.log_block_in != keys.log_block) {
    fail(
        "{}: LOG_BLOCK is {} and LOG_BLOCK_IN is {}, which disagree on the tile's depth; set both to the same, and "
        "LOG_BLOCK_OUT for a tile that is not square",
        json.where(), keys.log_block, keys.log_block_in);
  }
  if (json.has("LOG_BLOCK_OUT") && !json.has("LOG_BLOCK_IN") && keys.log_block_out != keys.log_block) {
    fail(
        "{}: LOG_BLOCK is {} and LOG_BLOCK_OUT is {}, which disagree on the tile's columns; set both to the same, or "
        "add \"LOG_BLOCK_IN\": {} for a tile that is not square",
        json.where(), keys.log_block, keys.log_block_out, keys.log_block);
  }
}

std::string_view buffer_key(Memory memory) {
  switch (memory) {
    case Memory::kUop: return "LOG_UOP_BUFF_SIZE";
    case Memory::kWgt: return "LOG_WGT_BUFF_SIZE";
    case Memory::kInp: return "LOG_INP_BUFF_SIZE";
    default: return "LOG_ACC_BUFF_SIZE";
  }
}

int buffer_log(const ConfigKeys& keys, Memory memory) {
  const ConfigKey* key = find_key(std::string(buffer_key(memory)));
  return keys.*key->number;
}

}  // namespace

Config Config::from_json(const Json& json, std::string_view source) {
  const JsonObject object(json, std::string(source), key_names());
  ConfigKeys keys = vta_default().keys();
  for (const ConfigKey& key : config_keys()) {
    if (object.has(key.name)) {
      read_key(object, key, keys);
    } else if (key.required) {
      fail("{}: the key {} is missing; add \"{}\": {} for VTA's default ({})", source, key.name, key.name,
           key.text != nullptr ? '"' + keys.*key.text + '"' : std::to_string(key.vta_default), key.meaning);
    }
  }
  check_sides(object, keys);
  if (!object.has("LOG_BLOCK_IN")) keys.log_block_in = keys.log_block;
  if (!object.has("LOG_BLOCK_OUT")) keys.log_block_out = keys.log_block;

  Config config(std::move(keys));
  config.validate(source);
  return config;
}

Config Config::from_keys(ConfigKeys keys, std::string_view source) {
  for (const ConfigKey& key : config_keys()) {
    if (key.number != nullptr) VANTAGE_CHECK(keys.*key.number >= key.min && keys.*key.number <= key.max);
  }
  VANTAGE_CHECK(keys.log_block == keys.log_block_in);
  Config config(std::move(keys));
  config.validate(source);
  return config;
}

void Config::validate(std::string_view source) const {
  if (keys_.log_inp_width > keys_.log_acc_width) {
    fail(
        "{}: LOG_INP_WIDTH is {}, wider than LOG_ACC_WIDTH {}: an output could not be cut from an accumulator; use "
        "at most {}",
        source, keys_.log_inp_width, keys_.log_acc_width, keys_.log_acc_width);
  }
  // DRAM is addressed in bytes, so every element must be a whole number of them.
  const auto whole_bytes = [&](std::string_view what, int log_bits, std::string_view remedy) {
    if (log_bits < 3) {
      fail("{}: the {} element has {} bits, less than a byte; enlarge {}", source, what, 1 << log_bits, remedy);
    }
  };
  whole_bytes("input", keys_.log_inp_width + keys_.log_batch + keys_.log_block_in, "LOG_BLOCK_IN or LOG_BATCH");
  whole_bytes("weight", keys_.log_wgt_width + keys_.log_block_in + keys_.log_block_out, "LOG_BLOCK");
  whole_bytes("output", keys_.log_inp_width + keys_.log_batch + keys_.log_block_out, "LOG_BLOCK_OUT or LOG_BATCH");

  for (Memory memory : {Memory::kUop, Memory::kInp, Memory::kWgt, Memory::kAcc}) {
    const int log_element_bytes = log2_ceil(element_size(memory).count());
    const int log_buffer = buffer_log(keys_, memory);
    if (log_buffer < log_element_bytes) {
      fail("{}: {} is {} ({} bytes), but one {} element has {} bytes; use at least {} or a smaller tile", source,
           buffer_key(memory), log_buffer, 1 << log_buffer, isa::name(memory), element_size(memory).count(),
           log_element_bytes);
    }
    if (log_buffer - log_element_bytes > isa::kSramBaseBits) {
      fail("{}: {} is {}, {} elements, more than the {}-bit sram_base of a LOAD can name; use at most {}", source,
           buffer_key(memory), log_buffer, depth(memory).count(), isa::kSramBaseBits,
           log_element_bytes + isa::kSramBaseBits);
    }
  }

  const isa::IndexBits index = isa::IndexBits::of(*this);
  if (index.acc + std::max(index.acc, index.inp) + index.wgt > isa::kMicroOpBits) {
    fail(
        "{}: a micro-op needs {} + {} + {} bits for dst, src and wgt, more than its {}; shrink LOG_ACC_BUFF_SIZE ({}), "
        "LOG_INP_BUFF_SIZE ({}) or LOG_WGT_BUFF_SIZE ({})",
        source, index.acc, std::max(index.acc, index.inp), index.wgt, isa::kMicroOpBits, keys_.log_acc_buff_size,
        keys_.log_inp_buff_size, keys_.log_wgt_buff_size);
  }
  if (const auto overflow = isa::Layout::overflow(index)) {
    fail("{}: {} instructions do not fit {} bits: their field {} would start a third 64-bit word; shrink {}", source,
         isa::name(overflow->format), isa::room(overflow->format), overflow->field, overflow->remedy);
  }
}

}  // namespace vantage::isa
