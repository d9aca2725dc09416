// What a LOAD or STORE needs before it may be issued: whether docs/isa.md allows it, and its sizes in the units in which
// the DMA counts. Two cycles: products, then sums.
//
// The instruction must be stable from the cycle of start_i on. Results are valid from two cycles later until the
// next start, and meaningless beyond legal_o for an instruction that is not legal.
//
// Zero elements come in runs, because rows lie one after another in the scratchpad: zeros_first_o before the first row,
// zeros_between_o after each but the last, zeros_last_o after that.

`include "vta_assert.svh"

module vta_transfer_check (
  input  logic                                clk_i,

  input  logic                                start_i,
  input  logic [vta_pkg::InsnW-1:0]           insn_i,
  // The last byte of memory that a transfer may touch
  input  logic [31:0]                         memory_last_i,

  output logic                                legal_o,
  // Moves nothing: no rows or no columns
  output logic                                empty_o,
  output logic [vta_pkg::TransferMemoryTypeW-1:0] memory_o,

  // DRAM side, in bytes; rows that adjoin are one
  output logic [31:0]                         addr_o,
  output logic [31:0]                         stride_o,
  output logic [24:0]                         row_bytes_o,
  output logic [16:0]                         rows_o,

  // Scratchpad side, in elements
  output logic [15:0]                         index_o,
  output logic [16:0]                         last_index_o,
  output logic [16:0]                         zeros_first_o,
  output logic [16:0]                         zeros_between_o,
  output logic [16:0]                         zeros_last_o
);

  // Fields
  logic        is_store;
  logic [2:0]  memory;
  logic [15:0] sram_base, y_size, x_size, x_stride;
  logic [31:0] dram_base;
  logic [3:0]  y_pad_0, y_pad_1, x_pad_0, x_pad_1;
  logic        empty, padded, contiguous;

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

  // Per memory: log2 of the element's bytes in DRAM, the scratchpad's depth, and which forms are allowed at all
  logic [4:0]  elem_log;
  logic [16:0] depth;
  logic        form_ok;

  always_comb begin
    case (memory)
      vta_pkg::MemUop:  elem_log = 5'(vta_pkg::UopElemLog);
      vta_pkg::MemWgt:  elem_log = 5'(vta_pkg::WgtElemLog);
      vta_pkg::MemInp:  elem_log = 5'(vta_pkg::InpElemLog);
      vta_pkg::MemAcc:  elem_log = 5'(vta_pkg::AccElemLog);
      vta_pkg::MemAcc8: elem_log = 5'(vta_pkg::Acc8ElemLog);
      default:              elem_log = 5'(vta_pkg::OutElemLog);
    endcase
    case (memory)
      vta_pkg::MemUop: depth = 17'(vta_pkg::UopDepth);
      vta_pkg::MemWgt: depth = 17'(vta_pkg::WgtDepth);
      vta_pkg::MemInp: depth = 17'(vta_pkg::InpDepth);
      default:             depth = 17'(vta_pkg::AccDepth);
    endcase
    case (memory)
      vta_pkg::MemUop: form_ok = !is_store && (y_size == 16'd1) && !padded;
      vta_pkg::MemOut: form_ok = is_store && !padded;
      default:             form_ok = !is_store;
    endcase
  end

  // First cycle: products
  logic [16:0] width, height;
  logic [33:0] extent_q;      // elements of the scratchpad, zeros included
  logic [31:0] dram_rows_q;   // elements from the first row's begin to the last row's
  logic [20:0] top_q, bottom_q;

  assign width  = 17'(x_size) + 17'(x_pad_0) + 17'(x_pad_1);
  assign height = 17'(y_size) + 17'(y_pad_0) + 17'(y_pad_1);

  logic start_q;

  always_ff @(posedge clk_i) begin
    start_q <= start_i;
    if (start_i) begin
      extent_q    <= 34'(width) * 34'(height);
      dram_rows_q <= 32'(16'(y_size - 1'b1)) * 32'(x_stride);
      top_q       <= 21'(width) * 21'(y_pad_0);
      bottom_q    <= 21'(width) * 21'(y_pad_1);
    end
  end

  // Second cycle: sums
  logic [34:0] sram_end;
  logic [33:0] dram_end;
  logic [65:0] dram_end_bytes;
  logic [33:0] row_elems;
  logic [65:0] addr, stride, row_bytes;

  assign sram_end       = 35'(sram_base) + 35'(extent_q);
  assign dram_end       = 34'(dram_base) + 34'(dram_rows_q) + 34'(x_size);
  assign dram_end_bytes = 66'(dram_end) << elem_log;
  assign row_elems      = contiguous ? extent_q - 34'(top_q) - 34'(bottom_q) : 34'(x_size);
  assign addr           = 66'(dram_base) << elem_log;
  assign stride         = 66'(x_stride) << elem_log;
  assign row_bytes      = 66'(row_elems) << elem_log;

  always_ff @(posedge clk_i) begin
    if (start_q) begin
      legal_o         <= empty || (form_ok && (sram_end <= 35'(depth)) && (dram_end_bytes <= 66'(memory_last_i) + 66'd1));
      empty_o         <= empty;
      memory_o        <= memory;
      addr_o          <= addr[31:0];
      stride_o        <= stride[31:0];
      row_bytes_o     <= row_bytes[24:0];
      rows_o          <= contiguous ? 17'd1 : 17'(y_size);
      index_o         <= sram_base;
      last_index_o    <= sram_end[16:0] - 17'd1;
      zeros_first_o   <= 17'(top_q) + 17'(x_pad_0);
      zeros_between_o <= 17'(x_pad_0) + 17'(x_pad_1);
      zeros_last_o    <= 17'(bottom_q) + 17'(x_pad_1);
    end
  end

  // Products and sums
  `VTA_STATIC_ASSERT(VerdictIsBehindTwoRegisters, vta_pkg::TransferCheck == 2)

endmodule
