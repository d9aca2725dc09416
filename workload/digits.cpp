#include "workload/digits.h"

#include "base/error.h"
#include "base/tensor/idx.h"

namespace vantage::workload {

graph::Inputs Digits::input(int64_t image) const {
  graph::Inputs inputs;
  inputs.emplace("image", pixels.rows(image, 1));
  return inputs;
}

Digits load_digits(const std::filesystem::path& folder) {
  const Tensor bytes = read_idx(folder / "t10k-images-idx3-ubyte.gz");
  Digits digits;
  digits.labels = read_idx(folder / "t10k-labels-idx1-ubyte.gz");
  if (bytes.rank() != 3 || digits.labels.rank() != 1 || bytes.extent(0) != digits.count()) {
    fail("{}: images and labels do not fit each other", folder.string());
  }
  digits.pixels = Tensor(kFloat32, {bytes.extent(0), 1, bytes.extent(1), bytes.extent(2)});
  for (int64_t e = 0; e < bytes.size(); ++e) digits.pixels.set_number(e, bytes.number(e) / 255);
  return digits;
}

int64_t count_correct(const Digits& digits, int64_t images, const std::function<Tensor(const graph::Inputs&)>& classify,
                      const std::function<void(int64_t)>& done) {
  int64_t correct = 0;
  for (int64_t image = 0; image < images; ++image) {
    const Tensor classes = classify(digits.input(image));
    int64_t best = 0;
    for (int64_t c = 1; c < classes.size(); ++c) {
      if (classes.number(c) > classes.number(best)) best = c;
    }
    correct += best == digits.labels.integer(image) ? 1 : 0;
    if (done) done(image + 1);
  }
  return correct;
}

}  // namespace vantage::workload
