// SPDX-License-Identifier: Apache-2.0
// Properties of vta_store_pack, included at its end, against a count of its own: which beat of which row is read. Each
// byte of a row is in one beat, in its place.

  logic f_past_q;
  initial assume (!rst_ni);
  initial f_past_q = 1'b0;
  always @(posedge clk_i) f_past_q <= rst_ni;

  // The store, as it was told
  logic [BusLog-1:0]   f_row_offset_q, f_stride_q;
  logic [LeftW-1:0]    f_row_bytes_q;
  logic [RowsW-1:0]    f_rows_q, f_row_q;
  logic [LeftW:0]      f_beat_q;   // of the row, the next to be read
  logic                f_active_q;
  initial f_active_q = 1'b0;

  // Bytes from the begin of the row's first beat: to its begin, its end, this beat's begin and end; its beats
  logic [LeftW+1:0]  f_from, f_to, f_begin, f_end;
  logic [LeftW:0]    f_beats;
  logic [BusBytes-1:0] f_strb;
  logic              f_row_done, f_done;
  assign f_from     = (LeftW + 2)'(f_row_offset_q);
  assign f_to       = f_from + (LeftW + 2)'(f_row_bytes_q);
  assign f_beats    = (LeftW + 1)'((f_to + (LeftW + 2)'(BusBytes - 1)) >> BusLog);
  assign f_begin    = (LeftW + 2)'(f_beat_q) << BusLog;
  assign f_end      = f_begin + (LeftW + 2)'(BusBytes);
  assign f_row_done = f_beat_q == f_beats - 1'b1;
  assign f_done     = f_row_done && (f_row_q == f_rows_q - 1'b1);
  for (genvar i = 0; i < BusBytes; i++) begin : g_formal_byte
    assign f_strb[i] = (f_begin + (LeftW + 2)'(i) >= f_from) && (f_begin + (LeftW + 2)'(i) < f_to);
  end

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      f_active_q <= 1'b0;
    end else if (start_i && ready_o) begin
      assume ((vta_pkg::dma_rows(dma_i) != '0) && (vta_pkg::dma_row_bytes(dma_i) != '0));
      f_active_q     <= 1'b1;
      f_row_offset_q <= dma_i[vta_pkg::DmaAddrLsb +: BusLog];
      f_stride_q     <= dma_i[vta_pkg::DmaStrideLsb +: BusLog];
      f_row_bytes_q  <= vta_pkg::dma_row_bytes(dma_i);
      f_rows_q       <= vta_pkg::dma_rows(dma_i);
      f_row_q        <= '0;
      f_beat_q       <= '0;
    end else if (read) begin
      f_beat_q <= f_beat_q + 1'b1;
      if (f_row_done) begin
        f_beat_q       <= '0;
        f_row_q        <= f_row_q + 1'b1;
        f_row_offset_q <= f_row_offset_q + f_stride_q;
      end
      if (f_done) f_active_q <= 1'b0;
    end
  end

  logic [BusBytes-1:0] f_strb_q;
  always @(posedge clk_i) begin
    f_strb_q <= f_strb;
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      ReadsWhileBeatsAreLeft: assert (!ready_o == f_active_q);
      NeverReadsMoreThanFits: assert (32'(held) + 32'(arriving_q) <= BufferBeats);
      if (f_active_q) begin
        ReadsItsRow: assert ((f_beat_q < f_beats) && (f_row_q < f_rows_q) && (f_row_bytes_q != '0));
        KeepsItsOffset: assert (offset_q == ((f_beat_q == '0) ? f_row_offset_q : BusLog'(0)));
        KeepsWhatIsLeft: assert ((LeftW + 2)'(left_q) == f_to - ((f_beat_q == '0) ? f_from : f_begin));
        KeepsItsRow: assert ((row_bytes_q == f_row_bytes_q) && (rows_q == f_rows_q - f_row_q) &&
                             (stride_q == f_stride_q) && (row_offset_q == f_row_offset_q));
        FinishesWithItsLastBeat: assert (finishing == (read && f_done));
      end
      if (arriving_q) StrobesWhatBelongsToTheRow: assert (strb == f_strb_q);
      if (f_past_q && $past(rst_ni)) ArrivesWhatWasRead: assert (arriving_q == $past(read));
      cover (f_active_q && (f_row_q != '0) && (f_beat_q != '0) && f_row_done && read);
    end
  end
