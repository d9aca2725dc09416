// SPDX-License-Identifier: Apache-2.0
// Which halves of the accumulator scratchpad one engine uses: how many of its instructions have taken each and not yet
// released it.

`include "vta_assert.svh"

module vta_halves #(
  // Cycles from the release to the first issue that it allows, as whoever uses this counts on them
  parameter int Latency = 1,

  localparam int CountW = $clog2(vta_pkg::ComputeInsns + 1)
) (
  input  logic       clk_i,
  input  logic       rst_ni,

  input  logic [1:0] take_i,
  input  logic [1:0] release_i,
  output logic [1:0] in_use_o
);

  for (genvar h = 0; h < 2; h++) begin : g_half
    logic [CountW-1:0] count_q;

    assign in_use_o[h] = count_q != '0;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) count_q <= '0;
      else         count_q <= count_q + CountW'(take_i[h]) - CountW'(release_i[h]);
    end

    `VTA_ASSERT(ReleasesOnlyWhatIsTaken, !release_i[h] || count_q != '0)
    `VTA_ASSERT(NeverOverflows, count_q <= CountW'(vta_pkg::ComputeInsns))
  end

  `VTA_STATIC_ASSERT(ReleasesBehindOneRegister, Latency == 1)

endmodule
