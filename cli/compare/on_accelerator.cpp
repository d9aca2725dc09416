#include "base/error.h"
#include "cli/compare/measure.h"
#include "cli/conv_layer.h"

namespace vantage::cli {

CompareRow measure_on_accelerator(const Comparison& c, driver::Accelerator& device,
                                  const std::function<ops::Conv2dTiling(const ops::Conv2dShape&)>& tiling) {
  const CompareWorkload& w = c.workload;
  const ops::Conv2dShape& s = w.shape;
  const isa::Config& config = device.config();
  VANTAGE_CHECK(w.dtype == ir::kInt8);
  std::optional<ops::Matrix> bias;
  if (!c.operands.bias.empty()) {
    bias.emplace(1, c.operands.bias.size());
    bias->values = c.operands.bias;
  }
  ConvLayer layer(device, w.name, s, w.epilogue, c.operands.weight_images(s), bias, tiling);
  const auto output = layer.run(c.operands.input_images(s), false);

  CompareRow row{.workload = w.name, .target = device.uri(), .dtype = "int8", .operations = s.operations()};
  const isa::Counters& counters = output.result.counters;
  row.bytes = static_cast<int64_t>(counters.inp_load_nbytes + counters.wgt_load_nbytes + counters.acc_load_nbytes +
                                   counters.uop_load_nbytes + counters.out_store_nbytes);
  const double clock = 1e6 * config.clock_mhz();
  if (output.result.cycles) {
    row.cycles = output.result.cycles->count();
    row.seconds = static_cast<double>(*row.cycles) / clock;
    const double per_step = 2.0 * config.batch() * config.block_in() * config.block_out();
    row.roofline = Roofline{per_step * clock, static_cast<double>(config.bus_width().count()) * clock};
  }
  size_t pixel = 0;
  for (size_t i = 0; i < output.values.n && row.ok(); ++i) {
    for (size_t y = 0; y < output.values.h; ++y) {
      for (size_t x = 0; x < output.values.w; ++x, ++pixel) {
        for (size_t o = 0; o < output.values.c; ++o) {
          const int32_t wanted = finished(w, c.operands, c.expected.sums[pixel * output.values.c + o], o);
          const int32_t got = output.values.at(i, o, y, x);
          if (wanted == got || !row.ok()) continue;
          row.difference = fmt::format("expected {} at pixel {}, channel {}, got {}", wanted, pixel, o, got);
        }
      }
    }
  }
  return row;
}

}  // namespace vantage::cli
