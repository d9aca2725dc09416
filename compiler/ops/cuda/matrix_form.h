// Whether a product is one of matrices that lie in memory as tensor cores want them.
//
// Thread safety: functions without state.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/backend/cuda/tensor_cores.h"
#include "compiler/ops/cuda/product_form.h"

namespace vantage::ops {

// C[m][n] = sum over k of A[m][k] * B[k][n], in the last two dimensions of A and B, each as it is or transposed. All
// other axes choose which matrices are multiplied, and to which sum it is added.
struct MatrixForm {
  ProductForm product;        // whose first side is A
  ProductForm::Axis m, n, k;  // of the block's axes
  bool a_transposed = false, b_transposed = false;
  DType operand() const { return product.sides[0].operand->dtype; }
  std::string kind() const;  // "f16_nt": as products of tensor cores are called (tensor_cores.h)
};

// Nothing: it is none, or its types are not those of tensor cores.
std::optional<MatrixForm> matrix_form(schedule::Schedule& s, const std::string& block);

// The block's loops, in order of its axes, but for those over rows, columns and what is summed.
std::vector<schedule::LoopRV> other_loops(const MatrixForm& form, const std::vector<schedule::LoopRV>& loops);

// A tile that blocks make, in steps of a depth.
struct MatrixTile {
  int64_t rows, columns, depth;
};
// How tiles fill the matrices.
enum class Fit : uint8_t {
  kWhole,   // without a rest
  kPadded,  // with zeros behind the ends of the matrices, at most as long as these on each side
  kNone,
};
Fit fit_of(const MatrixForm& form, const MatrixTile& tile);
// Roughly the cycles that a GPU takes, by the multiprocessor that makes most tiles: what it multiplies and fetches,
// step by step, and where sides are padded the kernel that cuts out what is wanted. It multiplies so many elements of
// two bytes in a cycle.
double cycles_of(const MatrixForm& form, const MatrixTile& tile, int64_t multiprocessors, double products_per_cycle);
// The same product of matrices with such zeros. Throws Error where they cannot have them.
MatrixForm padded(schedule::Schedule& s, const std::string& block, const MatrixForm& form, const MatrixTile& tile);

// What makes an operand of a tensor, where its copy can do that as well; what turns it is done for itself.
void inline_into_copy(schedule::Schedule& s, const ir::Buffer& operand);

// Where the tiles of a product go when their sums are done.
struct StoredTiles {
  std::string block;  // whose loops over rows and columns are the last two
  bool is_rounded = false;
};
// Sums in memory of this scope, which a block of its own stores: what rounds them to this type, where nothing else
// reads them, or a copy.
StoredTiles keep_sums(schedule::Schedule& s, const std::string& block, const std::string& scope, DType rounded);

// The last two loops of a block become those of tiles, made by an intrinsic.
void take_tiles(schedule::Schedule& s, const std::string& block, int64_t rows, int64_t columns,
                const std::string& intrinsic);

}  // namespace vantage::ops
