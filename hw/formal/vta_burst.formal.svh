// SPDX-License-Identifier: Apache-2.0
// Properties of vta_burst, included at its end, against a count of its own: how many beats of which row earlier bursts
// covered.

  logic f_past_q;
  initial assume (!rst_ni);
  initial f_past_q = 1'b0;
  always @(posedge clk_i) f_past_q <= rst_ni;

  // The transfer, as it was told
  logic [AddressW-1:0]  f_row_addr_q, f_stride_q;
  logic [RowBytesW-1:0] f_row_bytes_q;
  logic [RowsW-1:0]     f_rows_q, f_row_q;
  logic [RowBytesW:0]   f_covered_q;
  logic                 f_active_q;
  initial f_active_q = 1'b0;

  logic [RowBytesW:0] f_end, f_beats;   // of the row: bytes from its first beat's begin to its end, beats
  logic [BeatW-1:0]   f_first;
  logic [LenW:0]      f_len;
  logic               f_row_done, f_done;
  assign f_end      = (RowBytesW + 1)'(f_row_bytes_q) + (RowBytesW + 1)'(f_row_addr_q[vta_pkg::BusLog-1:0]);
  assign f_beats    = (f_end + (RowBytesW + 1)'((1 << vta_pkg::BusLog) - 1)) >> vta_pkg::BusLog;
  assign f_first    = f_row_addr_q[AddressW-1:vta_pkg::BusLog];
  assign f_len      = (LenW + 1)'(burst_len_o) + 1'b1;
  assign f_row_done = f_covered_q + (RowBytesW + 1)'(f_len) == f_beats;
  assign f_done     = f_row_done && (f_row_q == f_rows_q - 1'b1);

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      f_active_q <= 1'b0;
    end else if (start_valid_i && start_ready_o) begin
      assume ((vta_pkg::dma_rows(dma_i) != '0) && (vta_pkg::dma_row_bytes(dma_i) != '0));
      f_active_q    <= 1'b1;
      f_row_addr_q  <= vta_pkg::dma_addr(dma_i);
      f_stride_q    <= vta_pkg::dma_stride(dma_i);
      f_row_bytes_q <= vta_pkg::dma_row_bytes(dma_i);
      f_rows_q      <= vta_pkg::dma_rows(dma_i);
      f_row_q       <= '0;
      f_covered_q   <= '0;
    end else if (burst_valid_o && burst_ready_i) begin
      f_covered_q <= f_covered_q + (RowBytesW + 1)'(f_len);
      if (f_row_done) begin
        f_covered_q  <= '0;
        f_row_q      <= f_row_q + 1'b1;
        f_row_addr_q <= f_row_addr_q + f_stride_q;
      end
      if (f_done) f_active_q <= 1'b0;
    end
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      GivesBurstsWhileBeatsAreLeft: assert (burst_valid_o == f_active_q);
      TakesATransferWhenNoneIsUnderWay: assert (start_ready_o == !f_active_q);
      if (burst_valid_o) begin
        AlignedToBeats: assert (burst_addr_o[vta_pkg::BusLog-1:0] == '0);
        NeverCrosses4KB: assert (((32'(burst_addr_o) + (32'(burst_len_o) << vta_pkg::BusLog)) >> 12) ==
                                 (32'(burst_addr_o) >> 12));
        NeverCrossesAMultipleOfItsLength: assert (32'(burst_addr_o[vta_pkg::BusLog +: LenW]) + 32'(burst_len_o) <
                                                  vta_pkg::BurstBeats);
        BeginsWhereTheLastEnded: assert (burst_addr_o[AddressW-1:vta_pkg::BusLog] == f_first + BeatW'(f_covered_q));
        EndsInsideItsRow: assert (f_covered_q + (RowBytesW + 1)'(f_len) <= f_beats);
        EndsOnlyWhereItMust: assert (f_row_done || (&(burst_addr_o[vta_pkg::BusLog +: LenW] + burst_len_o)));
        LastMarksTheLastBurst: assert (burst_last_o == f_done);
        // What the module keeps is what it was told
        KeepsItsRow: assert ((stride_q == f_stride_q) && (row_less_one_q == f_row_bytes_q - 1'b1) &&
                             (next_addr_q == f_row_addr_q + f_stride_q));
        KeepsItsEnd: assert (end_q == f_first + BeatW'(f_beats) - 1'b1);
        KeepsItsCount: assert ((rows_q == f_rows_q - 1'b1 - f_row_q) && (last_row_q == (rows_q == '0)));
        CoversLessThanTheRow: assert ((f_covered_q < f_beats) && (f_row_q < f_rows_q) && (f_row_bytes_q != '0));
        if (f_covered_q != '0) BeginsAWindow: assert (burst_addr_o[vta_pkg::BusLog +: LenW] == '0);
      end
      if (f_past_q && $past(rst_ni && burst_valid_o && !burst_ready_i)) begin
        StableUntilTaken: assert (burst_valid_o && $stable(burst_addr_o) && $stable(burst_len_o) &&
                                  $stable(burst_last_o));
      end
      // A row of several bursts is followed by another
      cover (burst_valid_o && burst_ready_i && burst_last_o && (f_row_q != '0) && (f_covered_q != '0));
    end
  end
