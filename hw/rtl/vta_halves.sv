// Which halves of the accumulator scratchpad one engine uses: how many of its instructions have taken each and not yet
// released it.

`include "vta_assert.svh"

module vta_halves (
  input  logic       clk_i,
  input  logic       rst_ni,

  input  logic [1:0] take_i,
  input  logic [1:0] release_i,
  output logic [1:0] in_use_o
);

  for (genvar h = 0; h < 2; h++) begin : g_half
    logic [4:0] count_q;

    assign in_use_o[h] = count_q != '0;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) count_q <= '0;
      else         count_q <= count_q + 5'(take_i[h]) - 5'(release_i[h]);
    end

    `VTA_ASSERT(ReleasesOnlyWhatIsTaken, !release_i[h] || count_q != '0)
    `VTA_ASSERT(NeverOverflows, count_q != '1)
  end

endmodule
