// SPDX-License-Identifier: Apache-2.0
// What a LOAD or STORE needs before it may be issued: whether docs/isa.md allows it, and its sizes in the units in which
// the DMA counts. Two cycles: products, then sums.
//
// The instruction must be stable from the cycle of start_i on. Results are valid from two cycles later until the
// next start, and meaningless beyond legal_o for an instruction that is not legal.
//
// Zero elements come in runs, because rows lie one after another in the scratchpad: zeros_first before the first row,
// zeros_between after each but the last, zeros_last after that.

`include "vta_assert.svh"

module vta_transfer_check (
  input  logic                         clk_i,

  input  logic                         start_i,
  input  logic [vta_pkg::InsnW-1:0]    insn_i,
  // The last byte of memory that a transfer may touch
  input  logic [vta_pkg::AddressW-1:0] memory_last_i,

  output logic                         legal_o,
  // Moves nothing: no rows or no columns
  output logic                         empty_o,
  // What the DMAs are told of it: vta_pkg::dma_*
  output logic [vta_pkg::DmaW-1:0]     dma_o
);

  localparam int AddressW = vta_pkg::AddressW;
  localparam int XW       = vta_pkg::TransferXSizeW;
  localparam int YW       = vta_pkg::TransferYSizeW;
  localparam int StrideW  = vta_pkg::TransferXStrideW;
  localparam int BaseW    = vta_pkg::TransferDramBaseW;

  // Fields
  logic                                    is_store;
  logic [vta_pkg::TransferMemoryTypeW-1:0] memory;
  logic [vta_pkg::TransferSramBaseW-1:0]   sram_base;
  logic [XW-1:0]                           x_size;
  logic [YW-1:0]                           y_size;
  logic [StrideW-1:0]                      x_stride;
  logic [BaseW-1:0]                        dram_base;
  logic [vta_pkg::TransferYPad0W-1:0]      y_pad_0;
  logic [vta_pkg::TransferYPad1W-1:0]      y_pad_1;
  logic [vta_pkg::TransferXPad0W-1:0]      x_pad_0;
  logic [vta_pkg::TransferXPad1W-1:0]      x_pad_1;
  logic                                    empty, padded, contiguous;

  assign is_store   = vta_pkg::transfer_opcode(insn_i) == vta_pkg::OpStore;
  assign memory     = vta_pkg::transfer_memory_type(insn_i);
  assign sram_base  = vta_pkg::transfer_sram_base(insn_i);
  assign dram_base  = vta_pkg::transfer_dram_base(insn_i);
  assign y_size     = vta_pkg::transfer_y_size(insn_i);
  assign x_size     = vta_pkg::transfer_x_size(insn_i);
  assign x_stride   = vta_pkg::transfer_x_stride(insn_i);
  assign y_pad_0    = vta_pkg::transfer_y_pad_0(insn_i);
  assign y_pad_1    = vta_pkg::transfer_y_pad_1(insn_i);
  assign x_pad_0    = vta_pkg::transfer_x_pad_0(insn_i);
  assign x_pad_1    = vta_pkg::transfer_x_pad_1(insn_i);
  assign empty      = (x_size == '0) || (y_size == '0);
  assign padded     = {y_pad_0, y_pad_1, x_pad_0, x_pad_1} != '0;
  assign contiguous = (x_stride == x_size) && ({x_pad_0, x_pad_1} == '0);

  // Per memory: its elements and its depth, and which forms are allowed at all
  logic [vta_pkg::ElemLogW-1:0] elem_log;
  logic [vta_pkg::DepthW-1:0]   depth;
  logic                         form_ok;

  assign elem_log = vta_pkg::elem_log(memory);
  assign depth    = vta_pkg::depth(memory);

  always_comb begin
    case (memory)
      vta_pkg::MemUop: form_ok = !is_store && (y_size == YW'(1)) && !padded;
      vta_pkg::MemOut: form_ok = is_store && !padded;
      default:         form_ok = !is_store;
    endcase
  end

  // First cycle: products
  localparam int WidthW    = XW + 1;                         // a row with its pads
  localparam int HeightW   = YW + 1;
  localparam int ExtentW   = WidthW + HeightW;
  localparam int PadRowsW  = WidthW + vta_pkg::TransferYPad0W;
  localparam int DramRowsW = YW + StrideW;
  logic [WidthW-1:0]    width;
  logic [HeightW-1:0]   height;
  logic [ExtentW-1:0]   extent_q;         // elements of the scratchpad, zeros included
  logic [DramRowsW-1:0] dram_rows_q;      // elements from the first row's begin to the last row's
  logic [PadRowsW-1:0]  top_q, bottom_q;

  assign width  = WidthW'(x_size) + WidthW'(x_pad_0) + WidthW'(x_pad_1);
  assign height = HeightW'(y_size) + HeightW'(y_pad_0) + HeightW'(y_pad_1);

  // Rows of pads are few: sums of the row's multiples, where each product would take a multiplier slice for four bits
  localparam int Pad0W = vta_pkg::TransferYPad0W;
  localparam int Pad1W = vta_pkg::TransferYPad1W;
  logic [PadRowsW-1:0] row, top, bottom;
  assign row = PadRowsW'(width);

  always_comb begin
    top    = '0;
    bottom = '0;
    for (int i = 0; i < Pad0W; i += 2) begin
      top = top + (((y_pad_0[i] ? row : '0) + (y_pad_0[i+1] ? row << 1 : '0)) << i);
    end
    for (int i = 0; i < Pad1W; i += 2) begin
      bottom = bottom + (((y_pad_1[i] ? row : '0) + (y_pad_1[i+1] ? row << 1 : '0)) << i);
    end
  end

  // The first row's end, and how many elements memory has
  localparam int EndW      = ((BaseW > XW) ? BaseW : XW) + 1;
  localparam int MemoryW   = AddressW + 1;
  localparam int DramEndW  = ((EndW > DramRowsW) ? EndW : DramRowsW) + 1;
  localparam int CompareW  = (MemoryW > DramEndW) ? MemoryW : DramEndW;
  logic [EndW-1:0]    first_end_q;
  logic [MemoryW-1:0] memory_bytes, memory_elems_q;
  logic               start_q;

  assign memory_bytes = MemoryW'(memory_last_i) + 1'b1;

  always_ff @(posedge clk_i) begin
    start_q <= start_i;
    if (start_i) begin
      extent_q       <= ExtentW'(width) * ExtentW'(height);
      dram_rows_q    <= DramRowsW'(YW'(y_size - 1'b1)) * DramRowsW'(x_stride);
      top_q          <= top;
      bottom_q       <= bottom;
      first_end_q    <= EndW'(dram_base) + EndW'(x_size);
      memory_elems_q <= memory_bytes >> elem_log;
    end
  end

  // Second cycle: sums. BytesW holds the largest number of elements in bytes.
  localparam int SramEndW = ExtentW + 1;
  localparam int ElemsW   = (BaseW > ExtentW) ? BaseW : ExtentW;
  localparam int BytesW   = ElemsW + (1 << vta_pkg::ElemLogW);
  logic [SramEndW-1:0] sram_end;
  logic [DramEndW-1:0] dram_end;
  logic [ExtentW-1:0]  row_elems;

  assign sram_end  = SramEndW'(sram_base) + SramEndW'(extent_q);
  assign dram_end  = DramEndW'(first_end_q) + DramEndW'(dram_rows_q);
  assign row_elems = contiguous ? extent_q - ExtentW'(top_q) - ExtentW'(bottom_q) : ExtentW'(x_size);

  localparam int LastIndexW = vta_pkg::DmaLastIndexW;
  localparam int ZerosW     = vta_pkg::DmaZerosFirstW;
  localparam int BetweenW   = vta_pkg::DmaZerosBetweenW;
  logic [vta_pkg::DmaW-1:0] dma;

  assign dma[vta_pkg::DmaMemoryLsb +: vta_pkg::DmaMemoryW]      = memory;
  assign dma[vta_pkg::DmaAddrLsb +: AddressW]                   = AddressW'(BytesW'(dram_base) << elem_log);
  assign dma[vta_pkg::DmaStrideLsb +: AddressW]                 = AddressW'(BytesW'(x_stride) << elem_log);
  assign dma[vta_pkg::DmaRowBytesLsb +: vta_pkg::DmaRowBytesW]  = vta_pkg::DmaRowBytesW'(BytesW'(row_elems) << elem_log);
  assign dma[vta_pkg::DmaRowsLsb +: YW]                         = contiguous ? YW'(1) : y_size;
  assign dma[vta_pkg::DmaIndexLsb +: vta_pkg::DmaIndexW]        = sram_base;
  assign dma[vta_pkg::DmaLastIndexLsb +: LastIndexW]            = LastIndexW'(sram_end - 1'b1);
  assign dma[vta_pkg::DmaZerosFirstLsb +: ZerosW]               = ZerosW'(top_q) + ZerosW'(x_pad_0);
  assign dma[vta_pkg::DmaZerosBetweenLsb +: BetweenW]           = BetweenW'(x_pad_0) + BetweenW'(x_pad_1);
  assign dma[vta_pkg::DmaZerosLastLsb +: ZerosW]                = ZerosW'(bottom_q) + ZerosW'(x_pad_1);

  always_ff @(posedge clk_i) begin
    if (start_q) begin
      legal_o <= empty || (form_ok && (sram_end <= SramEndW'(depth)) &&
                           (CompareW'(dram_end) <= CompareW'(memory_elems_q)));
      empty_o <= empty;
      dma_o   <= dma;
    end
  end

  `VTA_STATIC_ASSERT(PadsHaveBitsInPairs, (Pad0W % 2 == 0) && (Pad1W % 2 == 0))
  // Products and sums
  `VTA_STATIC_ASSERT(VerdictIsBehindTwoRegisters, vta_pkg::TransferCheck == 2)

endmodule
