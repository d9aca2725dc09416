// SPDX-License-Identifier: Apache-2.0
// Properties of vta_dma_walk, included at its end, against a count of its own: elements written, rows, bytes of the row. As
// many elements are written as a transfer's description says, one after another, and it is done with the last of them.

  initial assume (!rst_ni);
  logic f_past_q;
  initial f_past_q = 1'b0;
  always @(posedge clk_i) f_past_q <= rst_ni;

  localparam int FW = 7;   // bits that all sums fit in
  localparam int AddressW = vta_pkg::AddressW;

  // The transfer, as it was told
  logic [vta_pkg::DmaMemoryW-1:0] f_memory_q;
  logic [AddressW-1:0]            f_row_addr_q, f_stride_q;   // of the present row
  logic [RowW-1:0]                f_row_bytes_q;
  logic [IndexW-1:0]              f_index_q;
  logic [FW-1:0]                  f_rows_q, f_first_q, f_between_q, f_last_q;
  logic [TagW-1:0]                f_tag_q;
  logic                           f_active_q;
  // How far it is: before the first row, in a row, before another, behind the last
  typedef enum logic [1:0] {First, Row, Between, Last} f_phase_e;
  f_phase_e                       f_phase_q;
  logic [FW-1:0]                  f_row_q, f_bytes_q, f_zeros_q, f_written_q;

  // Elements: of a row, of all; those that come before the next write, by phase
  logic [FW-1:0] f_row_elems, f_all, f_expected;
  logic [2:0]    f_log;
  // Products of a number of rows, of which there are three at most
  function automatic logic [FW-1:0] f_times(input logic [1:0] n, input logic [FW-1:0] x);
    f_times = (n[1] ? {x[FW-2:0], 1'b0} : '0) + (n[0] ? x : '0);
  endfunction
  assign f_log       = 3'(vta_pkg::elem_log(f_memory_q));
  assign f_row_elems = FW'(f_row_bytes_q) >> f_log;
  assign f_all       = (f_rows_q == '0) ? '0
                     : f_first_q + f_times(f_rows_q[1:0], f_row_elems) + f_times(f_rows_q[1:0] - 2'd1, f_between_q) +
                       f_last_q;
  always_comb begin
    case (f_phase_q)
      First:   f_expected = f_zeros_q;
      Row:     f_expected = f_first_q + f_times(f_row_q[1:0], f_row_elems + f_between_q) + (f_bytes_q >> f_log);
      Between: f_expected = f_first_q + f_times(f_row_q[1:0], f_row_elems) + f_times(f_row_q[1:0] - 2'd1, f_between_q) + f_zeros_q;
      default: f_expected = f_first_q + f_times(f_rows_q[1:0], f_row_elems) + f_times(f_rows_q[1:0] - 2'd1, f_between_q) + f_zeros_q;
    endcase
  end

  logic [IndexW-1:0] f_next_index;
  assign f_next_index = f_index_q + f_written_q[IndexW-1:0];

  // The next write
  logic [FW-1:0] f_run, f_offset, f_room, f_left, f_bytes;
  logic          f_zero, f_run_done, f_row_done;
  assign f_zero   = f_phase_q != Row;
  assign f_run    = (f_phase_q == First) ? f_first_q : (f_phase_q == Between) ? f_between_q : f_last_q;
  assign f_offset = FW'(f_row_addr_q[BusLog-1:0]) + f_bytes_q;   // from the row's first beat's begin
  assign f_room   = FW'(BusBytes) - FW'(f_offset[BusLog-1:0]);
  assign f_left   = FW'(f_row_bytes_q) - f_bytes_q;
  assign f_bytes  = (f_left < f_room) ? f_left : f_room;
  assign f_run_done = f_zeros_q == f_run - 1'b1;
  assign f_row_done = f_bytes == f_left;

  // Descriptions: rows and strides are of whole elements, which lie at multiples of their size
  logic [FW-1:0] f_within;
  assign f_within = (FW'(1) << vta_pkg::elem_log(vta_pkg::dma_memory(dma_i))) - 1'b1;

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      f_active_q <= 1'b0;
    end else if (start_ready_o) begin
      if (start_valid_i) begin
        assume ((FW'(start_bytes) & f_within) == '0);
        assume ((FW'(vta_pkg::dma_addr(dma_i)) & f_within) == '0);
        assume ((FW'(vta_pkg::dma_stride(dma_i)) & f_within) == '0);
        assume (!has_rows || (start_bytes != '0));
        assume (has_rows || !has_first);
      end
      f_active_q    <= start_valid_i;
      f_memory_q    <= vta_pkg::dma_memory(dma_i);
      f_row_addr_q  <= vta_pkg::dma_addr(dma_i);
      f_stride_q    <= vta_pkg::dma_stride(dma_i);
      f_row_bytes_q <= start_bytes;
      f_index_q     <= vta_pkg::dma_index(dma_i);
      f_rows_q      <= FW'(vta_pkg::dma_rows(dma_i));
      f_first_q     <= FW'(vta_pkg::dma_zeros_first(dma_i));
      f_between_q   <= FW'(vta_pkg::dma_zeros_between(dma_i));
      f_last_q      <= FW'(vta_pkg::dma_zeros_last(dma_i));
      f_tag_q       <= tag_i;
      f_phase_q     <= has_first ? First : Row;
      f_row_q       <= '0;
      f_bytes_q     <= '0;
      f_zeros_q     <= '0;
      f_written_q   <= '0;
    end else begin
      if (is_zero || is_data) f_written_q <= f_written_q + FW'(elements);
      if (is_zero) begin
        f_zeros_q <= f_zeros_q + 1'b1;
        if (f_run_done) begin
          f_zeros_q <= '0;
          f_phase_q <= Row;
        end
      end
      if (is_data) begin
        f_bytes_q <= f_bytes_q + f_bytes;
        if (f_row_done) begin
          f_bytes_q    <= '0;
          f_row_q      <= f_row_q + 1'b1;
          f_row_addr_q <= f_row_addr_q + f_stride_q;
          f_phase_q    <= (f_row_q == f_rows_q - 1'b1) ? Last : (f_between_q != '0) ? Between : Row;
        end
      end
    end
  end

  // Where rows end, counted in bytes from their first beat's begin, less one
  logic [FW-1:0]     f_end, f_next_end;
  logic [BusLog-1:0] f_next_offset;
  assign f_end         = FW'(f_row_addr_q[BusLog-1:0]) + FW'(f_row_bytes_q) - 1'b1;
  assign f_next_offset = f_row_addr_q[BusLog-1:0] + f_stride_q[BusLog-1:0];
  assign f_next_end    = FW'(f_next_offset) + FW'(f_row_bytes_q) - 1'b1;

  logic f_moves, f_writes;
  assign f_moves  = f_active_q && (f_rows_q != '0);
  assign f_writes = is_zero || is_data;

  always @(posedge clk_i) begin
    if (rst_ni) begin
      ActiveWithATransfer: assert (active_q == f_active_q);
      WritesOnlyForATransfer: assert (!f_writes || f_moves);
      TakesABeatWithEachWriteOfData: assert (beat_ready_o == is_data && (!is_data || beat_valid_i));
      if (f_moves) begin
        ZerosWhereTheyBelong: assert ((in_zeros_q == f_zero) && (in_row_q == !f_zero));
        WaitsOnlyForBeats: assert (f_writes || (!f_zero && !beat_valid_i));
        WritesInOrder: assert ((f_written_q == f_expected) && (index_q == f_next_index));
        WritesNoMoreThanAll: assert (!f_writes || (f_written_q + FW'(elements) <= f_all));
        DoneExactlyWithTheLast: assert (done == (f_writes && (f_written_q + FW'(elements) == f_all) &&
                                                 (f_zero || f_row_done)));
        DoneMeansAllIsWritten: assert (!done || (f_written_q + FW'(elements) == f_all));
        BringsTheBytesOfTheRow: assert (!is_data || (FW'(bytes) == f_bytes));
        // What the module keeps
        FitsItsDescription: assert ((f_rows_q < FW'(1 << RowsW)) && (f_first_q < FW'(1 << ZerosW)));
        KeepsItsRows: assert ((f_row_q <= f_rows_q) && (rows_q == RowsW'(f_rows_q - 1'b1 - f_row_q)) &&
                              (last_row_q == (f_row_q == f_rows_q - 1'b1)) && (no_row_q == (f_row_q == f_rows_q)));
        KeepsItsPhase: assert (((f_phase_q == First) == (f_first_q != '0 && f_row_q == '0 && f_phase_q != Row)) &&
                               ((f_phase_q == Last) == (f_row_q == f_rows_q)) && (f_zero || (f_zeros_q == '0)) &&
                               ((f_phase_q != Between) || (f_row_q != '0)) && (!f_zero || (f_bytes_q == '0)));
        if (f_zero) KeepsItsZeros: assert ((f_zeros_q < f_run) && (zeros_q == ZerosW'(f_run - 1'b1 - f_zeros_q)) &&
                                           (zeros_end_q == f_run_done));
        KeepsItsRuns: assert ((FW'(zeros_between_q) == f_between_q) && (FW'(zeros_last_q) == f_last_q) &&
                              (between_q == (f_between_q != '0)) && (behind_q == (f_last_q != '0)));
        KeepsWhatItWasTold: assert ((memory_q == f_memory_q) && (tag_q == f_tag_q) && (row_bytes_q == f_row_bytes_q) &&
                                    (stride_q == f_stride_q[BusLog-1:0]) && (f_row_bytes_q != '0));
        KeepsItsRow: assert ((f_bytes_q < FW'(f_row_bytes_q)) && (offset_q == f_offset[BusLog-1:0]) &&
                             (FW'(beats_q) == (f_end >> BusLog) - (f_offset >> BusLog)) && (row_end_q == (beats_q == '0)) &&
                             (FW'(tail_q) == FW'(f_end[BusLog-1:0]) + 1'b1));
        KeepsTheNextRow: assert ((next_offset_q == f_next_offset) && (FW'(next_beats_q) == (f_next_end >> BusLog)) &&
                                 (next_row_end_q == (next_beats_q == '0)) &&
                                 (FW'(next_tail_q) == FW'(f_next_end[BusLog-1:0]) + 1'b1));
        RowsAreOfWholeElements: assert (((FW'(f_row_bytes_q) & ((FW'(1) << f_log) - 1'b1)) == '0) &&
                                        ((FW'(f_row_addr_q) & ((FW'(1) << f_log) - 1'b1)) == '0) &&
                                        ((FW'(f_stride_q) & ((FW'(1) << f_log) - 1'b1)) == '0));
        BytesAreOfWholeElementsOrBeats: assert ((32'(f_log) > BusLog) ? (f_bytes_q[BusLog-1:0] == '0)
                                                                      : ((f_bytes_q & ((FW'(1) << f_log) - 1'b1)) == '0));
        KeepsItsGranule: assert (FW'(granule_q) == ((32'(f_log) > BusLog) ? (f_bytes_q & ((FW'(1) << f_log) - 1'b1)) >> BusLog
                                                                         : '0));
      end
      if (f_active_q && !f_moves) begin
        TakesOneTurnWhenItMovesNothing: assert (done && !in_zeros_q && !in_row_q);
      end
      if (f_past_q && $past(rst_ni)) begin
        WritesAreShownACycleLater: assert ((op_valid_o == $past(f_writes)) && (done_o == $past(done)));
        if (op_valid_o) begin
          ShowsWhatIsWritten: assert ((op_zero_o == $past(is_zero)) && (op_index_o == $past(index_q)) &&
                                      (op_elements_o == $past(elements)) && (op_memory_o == $past(f_memory_q)) &&
                                      (op_granule_o == $past(granule_q)) && (op_zero_o || (op_bytes_o == $past(bytes))));
        end
        if (done_o && $past(f_moves)) TellsItsTag: assert (tag_o == $past(f_tag_q));
      end
      cover (done && (f_row_q > FW'(1)) && (f_first_q != '0) && (f_between_q != '0) && (f_last_q != '0));
      cover (done && (f_log == 3'd2));
    end
  end
