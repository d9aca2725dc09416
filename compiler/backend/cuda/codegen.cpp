#include "compiler/backend/cuda/codegen.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "compiler/backend/cuda/box_copy.h"
#include "compiler/backend/cuda/calls.h"
#include "compiler/backend/cuda/stmt_writer.h"
#include "compiler/backend/cuda/tensor_cores.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/thread_axes.h"
#include "compiler/ir/visitor.h"

namespace vantage::cuda {

using namespace ir;

namespace {

// What a kernel makes in shared memory and which buffers it writes.
class Memories final : public Visitor {
 public:
  using Visitor::visit;
  std::vector<Buffer> shared;
  std::set<const BufferNode*> written;
  bool has_arrivals = false;  // of copies, which are counted in shared memory

 protected:
  void visit_call(const Call& node) override {
    has_arrivals = has_arrivals || node.function == kBeginArrivals;
    Visitor::visit_call(node);
  }
  void visit_store(const Store& node) override {
    written.insert(node.buffer.get());
    Visitor::visit_store(node);
  }
  void visit_view(const View& node) override {
    if (node.touch != Touch::kRead) written.insert(node.buffer.get());
    Visitor::visit_view(node);
  }
  void visit_allocate(const Allocate& node) override {
    if (is_shared(node.buffer->scope)) shared.push_back(node.buffer);
    Visitor::visit_allocate(node);
  }
};

// Of shared memory that the launch gives, in bytes.
constexpr int64_t kGivenAlignment = 128;

struct Place {
  Buffer buffer;
  int64_t elements, begin;  // `begin` in bytes
};

int64_t alignment_of(const Buffer& buffer) {
  const int64_t least = buffer->scope == kSwizzledScope ? kSwizzledAlignment : kPointerAlignment;
  return std::max<int64_t>(least, buffer->alignment);
}

// Elements of one buffer: what more than that takes need not be a number of 64 bits.
constexpr int64_t kMostShared = int64_t{1} << 40;

std::vector<Place> places_of(const std::vector<Buffer>& shared, int64_t& bytes) {
  std::vector<Place> places;
  for (const Buffer& buffer : shared) {
    const std::optional<int64_t> span = constant_span(buffer);
    if (!span) {
      fail(
          "{} is {} elements of shared memory, which must be a number when the kernel is compiled; give the loops that "
          "fill it constant extents",
          buffer->name, size_text(buffer));
    }
    if (*span > kMostShared) fail("{} is {} elements of shared memory, which no GPU has", buffer->name, *span);
    const int64_t alignment = alignment_of(buffer);
    bytes = (bytes + alignment - 1) / alignment * alignment;
    places.push_back({buffer, *span, bytes});
    bytes += *span * buffer->dtype.bytes();
  }
  return places;
}

int64_t most_aligned(const std::vector<Place>& places) {
  int64_t most = 1;
  for (const Place& place : places) most = std::max(most, alignment_of(place.buffer));
  return most;
}

std::string extents_text(StmtWriter& writer, const Extents& extents) {
  return fmt::format("({}, {}, {})", writer.index(extents[0]), writer.index(extents[1]), writer.index(extents[2]));
}

std::string parameters(const Kernel& kernel, Names& names, const std::set<const BufferNode*>& written) {
  std::string text;
  for (const Param& param : kernel.params) {
    if (!text.empty()) text += ", ";
    if (const auto* var = std::get_if<Var>(&param)) {
      text += fmt::format("const {} {}", type_name(var->dtype()), names.of(*var->get()));
      continue;
    }
    const Buffer& buffer = std::get<Buffer>(param);
    const char* access = written.count(buffer.get()) > 0 ? "" : "const ";
    text += fmt::format("{}{}* __restrict__ {}", access, type_name(buffer->dtype), names.of(buffer));
  }
  return text;
}

// Tiles are a warp's, which the threads of one threadIdx.x are, or a warpgroup's.
void require_warps(const Kernel& kernel) {
  struct Search final : Visitor {
    using Visitor::visit;
    bool by_warp = false, by_group = false;
    void visit_view(const View& node) override {
      by_warp = by_warp || node.buffer->scope == kWarpScope;
      by_group = by_group || node.buffer->scope == kWarpgroupScope;
    }
  } search;
  search.visit(kernel.body);
  const auto require = [&](std::string_view who, int64_t threads) {
    if (is_int(kernel.block[0], threads)) return;
    fail(
        "{}: tensor cores are used by {} of {} threads, and {} are bound to threadIdx.x; bind a loop of {} iterations "
        "of what the block does to it, and loops over {} to threadIdx.y",
        kernel.name, who, threads, ir::to_text(kernel.block[0]), threads, who);
  };
  if (search.by_warp) require("warps", kWarpThreads);
  if (search.by_group) require("warpgroups", kWarpgroupThreads);
}

// A bound that lets the compiler give every thread as many registers as there are for so many.
std::string launch_bounds(const Kernel& kernel) {
  int64_t threads = 1;
  for (const Expr& extent : kernel.block) {
    const int64_t* count = as_int(extent);
    if (count == nullptr) return "";
    threads *= *count;
  }
  return fmt::format(" __launch_bounds__({})", threads);
}

}  // namespace

KernelCode write_kernel(const Kernel& kernel, bool strict) {
  KernelCode code;
  require_warps(kernel);
  Memories memories;
  memories.visit(kernel.body);
  Names names;
  StmtWriter writer(names, strict);
  for (const Param& param : kernel.params) {
    if (const auto* buffer = std::get_if<Buffer>(&param)) {
      for (const Expr& size : (*buffer)->shape) {
        if (const Var var = Var::of(size); var.defined()) writer.analyzer().bind(var, Bounds{1, Bounds::kInfinity});
      }
    }
  }
  std::string list = parameters(kernel, names, memories.written);
  for (const TensorMap& map : kernel.maps) {
    writer.maps.push_back({map, names.fresh(map.buffer->name + "_map")});
    list += fmt::format(", const __grid_constant__ vt::tensor_map {}", writer.maps.back().name);
  }
  const std::vector<Place> places = places_of(memories.shared, code.shared_bytes);
  // They lie before what is aligned.
  if (memories.has_arrivals) code.shared_bytes += kSwizzledAlignment;
  code.is_dynamic = code.shared_bytes > kMostDeclared;
  const std::string grid = extents_text(writer, kernel.grid);
  writer.line(fmt::format("// Grid {}, block {}.", grid, extents_text(writer, kernel.block)));
  writer.line(fmt::format("extern \"C\" __global__ void{} {}(", launch_bounds(kernel), kernel.name));
  writer.line(fmt::format("    {}) {{", list));
  ++writer.depth;
  const std::string all = code.is_dynamic ? names.fresh("shared_memory") : "";
  if (code.is_dynamic)
    writer.line(fmt::format("alignas({}) extern __shared__ unsigned char {}[];",
                            std::max(kGivenAlignment, most_aligned(places)), all));
  for (const Place& place : places) {
    const std::string type = type_name(place.buffer->dtype);
    const std::string& name = names.of(place.buffer);
    if (code.is_dynamic) {
      writer.line(fmt::format("{}* const {} = reinterpret_cast<{}*>({} + {});", type, name, type, all, place.begin));
    } else {
      writer.line(
          fmt::format("alignas({}) __shared__ {} {}[{}];", alignment_of(place.buffer), type, name, place.elements));
    }
  }
  writer.write(kernel.body);
  --writer.depth;
  writer.line("}");
  code.text = std::move(writer.text);
  code.copies_boxes = !kernel.maps.empty();
  code.products = std::move(writer.products);
  code.multiplied = std::move(writer.multiplied);
  code.shared_accesses = std::move(writer).shared_accesses();
  return code;
}

void require_instructions(const Architecture& architecture, const std::string& kernel, const KernelCode& code) {
  if (code.needs_warpgroups()) require_warpgroups(architecture, kernel);
  for (const DType operand : code.multiplied) {
    const int least = find_tensor_core_type(operand)->capability;
    if (architecture.capability >= least) continue;
    fail("{}: products of {} on tensor cores are instructions of sm_{} and later, and {} has none; take another type",
         kernel, name(operand), least, architecture.name);
  }
}

std::string write_source(const std::vector<KernelCode>& kernels) {
  std::string text = fmt::format("#include \"{}\"\n", kDeviceHeader);
  if (std::ranges::any_of(kernels, &KernelCode::needs_warpgroups))
    text += fmt::format("#include \"{}\"\n", kWarpgroupHeader);
  std::set<GroupProduct> products;
  for (const KernelCode& kernel : kernels) products.insert(kernel.products.begin(), kernel.products.end());
  for (const GroupProduct& product : products) text += "\n" + to_cuda(product);
  for (const KernelCode& kernel : kernels) text += "\n" + kernel.text;
  return text;
}

}  // namespace vantage::cuda
