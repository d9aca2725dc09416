// SPDX-License-Identifier: Apache-2.0
// Bursts of any lengths, in the place of vta_burst. A transfer has a few beats; where its bursts end is told by bits of its
// description, which abstract/vta_store_pack.sv reads likewise.

module vta_burst (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  logic                          start_valid_i,
  output logic                          start_ready_o,
  input  logic [vta_pkg::DmaW-1:0]      dma_i,
  output logic                          burst_valid_o,
  input  logic                          burst_ready_i,
  output logic [vta_pkg::AddressW-1:0]  burst_addr_o,
  output logic [vta_pkg::BurstLenW-1:0] burst_len_o,
  output logic                          burst_last_o
);

  localparam int Beats   = 4;
  localparam int NumberW = $clog2(Beats);

  (* anyseq *) logic [vta_pkg::AddressW-1:0] f_addr;
  logic [vta_pkg::AddressW-1:0]              f_addr_q;
  logic               active_q, waits_q;
  logic [Beats-1:0]   ends_q;   // the beats that end a burst
  logic [NumberW-1:0] number_q, last_q, end_number;

  always_comb begin
    end_number = last_q;
    for (int i = Beats - 1; i >= 0; i--) begin
      if ((NumberW'(i) >= number_q) && (NumberW'(i) < last_q) && ends_q[i]) end_number = NumberW'(i);
    end
  end

  assign start_ready_o = !active_q;
  assign burst_valid_o = active_q;
  assign burst_addr_o  = waits_q ? f_addr_q : f_addr;
  assign burst_len_o   = vta_pkg::BurstLenW'(end_number - number_q);
  assign burst_last_o  = end_number == last_q;

  always @(posedge clk_i) begin
    waits_q  <= rst_ni && active_q && !burst_ready_i;
    f_addr_q <= burst_addr_o;
    if (!rst_ni) begin
      active_q <= 1'b0;
    end else begin
      // No burst is longer than the longest
      assume (!active_q || (32'(end_number) - 32'(number_q) < vta_pkg::BurstBeats));
      if (!active_q) begin
        active_q         <= start_valid_i;
        {ends_q, last_q} <= dma_i[Beats+NumberW-1:0];
        number_q         <= '0;
      end else if (burst_ready_i) begin
        if (burst_last_o) active_q <= 1'b0;
        number_q <= end_number + 1'b1;
      end
    end
  end

endmodule
