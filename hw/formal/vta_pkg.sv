// SPDX-License-Identifier: Apache-2.0
// The package of a core too small to be of use, for proofs: the names of the generated one (hw/isa/rtl_package.cpp) that
// the proved modules read, with widths and depths that keep a proof short. proofs.txt changes values where a proof wants
// others. Latencies are those of hw/isa/timing.h: modules hold assertions about them.
package vta_pkg;

  localparam int BusLog = 1;
  localparam int BusW = 8 << BusLog;
  localparam int AddressW = 8;
  localparam int BurstBeats = 4;
  localparam int BurstLenW = $clog2(BurstBeats);

  localparam int ReadBursts = 4;
  localparam int WriteBursts = 4;
  localparam int DmaBeats = 8;
  localparam int StoreBeats = 4;
  localparam int WaitingLoads = 2;
  localparam int Stores = 2;
  localparam int ComputeInsns = 4;
  localparam int QueueDepth = 4;

  localparam int AddressShown = 1;
  localparam int BeatToBuffer = 2;
  localparam int QueueLatency = 1;
  localparam int CheckToIssue = 1;
  localparam int EmptyEnd = 1;
  localparam int LoadRelease = 1;
  localparam int FirstBurst = 1;
  localparam int Turn = 1;
  localparam int FirstWalk = 1;
  localparam int WalkToWrite = 1;
  localparam int FirstRead = 1;
  localparam int StorePack = 2;
  localparam int AddressToData = 1;
  localparam int DataShown = 1;
  localparam int ResponseToEnd = 1;
  localparam int Stop = 1;

  // Instructions
  localparam int InsnCountW = 2;
  localparam int UopIndexW = 2;
  localparam int GemmUopEndW = UopIndexW + 1;
  localparam int InsnW = 9 + UopIndexW + GemmUopEndW;
  localparam int TransferOpcodeW = 3;
  localparam int TransferMemoryTypeW = 3;
  localparam int AluAluOpcodeW = 3;
  localparam logic [2:0] OpLoad = 3'd0;
  localparam logic [2:0] OpStore = 3'd1;
  localparam logic [2:0] OpGemm = 3'd2;
  localparam logic [2:0] OpFinish = 3'd3;
  localparam logic [2:0] OpAlu = 3'd4;
  localparam logic [2:0] MemUop = 3'd0;
  localparam logic [2:0] MemWgt = 3'd1;
  localparam logic [2:0] MemInp = 3'd2;
  localparam logic [2:0] MemLast = 3'd5;
  localparam logic [2:0] AluLast = 3'd4;
  function automatic logic [2:0] transfer_opcode(input logic [InsnW-1:0] word);
    transfer_opcode = word[2:0];
  endfunction
  function automatic logic transfer_pop_prev(input logic [InsnW-1:0] word);
    transfer_pop_prev = word[3];
  endfunction
  function automatic logic transfer_pop_next(input logic [InsnW-1:0] word);
    transfer_pop_next = word[4];
  endfunction
  function automatic logic transfer_push_prev(input logic [InsnW-1:0] word);
    transfer_push_prev = word[5];
  endfunction
  function automatic logic transfer_push_next(input logic [InsnW-1:0] word);
    transfer_push_next = word[6];
  endfunction
  function automatic logic [2:0] transfer_memory_type(input logic [InsnW-1:0] word);
    transfer_memory_type = word[9:7];
  endfunction
  function automatic logic [2:0] gemm_opcode(input logic [InsnW-1:0] word);
    gemm_opcode = word[2:0];
  endfunction
  function automatic logic gemm_reset(input logic [InsnW-1:0] word);
    gemm_reset = word[7];
  endfunction
  function automatic logic [UopIndexW-1:0] gemm_uop_bgn(input logic [InsnW-1:0] word);
    gemm_uop_bgn = word[8 +: UopIndexW];
  endfunction
  function automatic logic [GemmUopEndW-1:0] gemm_uop_end(input logic [InsnW-1:0] word);
    gemm_uop_end = word[8 + UopIndexW +: GemmUopEndW];
  endfunction
  function automatic logic [2:0] alu_alu_opcode(input logic [InsnW-1:0] word);
    alu_alu_opcode = word[InsnW-1 -: 3];
  endfunction

  // Elements of memory type m have 2^m bytes, those of type 0 one: smaller than a beat, as large, larger
  localparam int ElemLogW = 2;
  localparam int GranuleW = 2;
  localparam int ElementsW = BusLog + 1;
  localparam int OutElemLog = 0;
  localparam int OutLanes = 2;
  localparam int AccIndexW = 4;
  function automatic logic [ElemLogW-1:0] elem_log(input logic [2:0] memory);
    elem_log = memory[ElemLogW-1:0];
  endfunction

  // What the DMAs are told of a transfer
  localparam int DmaMemoryW = 3;
  localparam int DmaRowBytesW = 5;
  localparam int DmaRowsW = 2;
  localparam int DmaIndexW = 4;
  localparam int DmaLastIndexW = DmaIndexW;
  localparam int DmaZerosFirstW = 2;
  localparam int DmaZerosBetweenW = 2;
  localparam int DmaZerosLastW = DmaZerosFirstW;
  localparam int DmaMemoryLsb = 0;
  localparam int DmaAddrLsb = DmaMemoryW;
  localparam int DmaStrideLsb = DmaAddrLsb + AddressW;
  localparam int DmaRowBytesLsb = DmaStrideLsb + AddressW;
  localparam int DmaRowsLsb = DmaRowBytesLsb + DmaRowBytesW;
  localparam int DmaIndexLsb = DmaRowsLsb + DmaRowsW;
  localparam int DmaLastIndexLsb = DmaIndexLsb + DmaIndexW;
  localparam int DmaZerosFirstLsb = DmaLastIndexLsb + DmaLastIndexW;
  localparam int DmaZerosBetweenLsb = DmaZerosFirstLsb + DmaZerosFirstW;
  localparam int DmaZerosLastLsb = DmaZerosBetweenLsb + DmaZerosBetweenW;
  localparam int DmaW = DmaZerosLastLsb + DmaZerosLastW;
  function automatic logic [DmaMemoryW-1:0] dma_memory(input logic [DmaW-1:0] dma);
    dma_memory = dma[DmaMemoryLsb +: DmaMemoryW];
  endfunction
  function automatic logic [AddressW-1:0] dma_addr(input logic [DmaW-1:0] dma);
    dma_addr = dma[DmaAddrLsb +: AddressW];
  endfunction
  function automatic logic [AddressW-1:0] dma_stride(input logic [DmaW-1:0] dma);
    dma_stride = dma[DmaStrideLsb +: AddressW];
  endfunction
  function automatic logic [DmaRowBytesW-1:0] dma_row_bytes(input logic [DmaW-1:0] dma);
    dma_row_bytes = dma[DmaRowBytesLsb +: DmaRowBytesW];
  endfunction
  function automatic logic [DmaRowsW-1:0] dma_rows(input logic [DmaW-1:0] dma);
    dma_rows = dma[DmaRowsLsb +: DmaRowsW];
  endfunction
  function automatic logic [DmaIndexW-1:0] dma_index(input logic [DmaW-1:0] dma);
    dma_index = dma[DmaIndexLsb +: DmaIndexW];
  endfunction
  function automatic logic [DmaLastIndexW-1:0] dma_last_index(input logic [DmaW-1:0] dma);
    dma_last_index = dma[DmaLastIndexLsb +: DmaLastIndexW];
  endfunction
  function automatic logic [DmaZerosFirstW-1:0] dma_zeros_first(input logic [DmaW-1:0] dma);
    dma_zeros_first = dma[DmaZerosFirstLsb +: DmaZerosFirstW];
  endfunction
  function automatic logic [DmaZerosBetweenW-1:0] dma_zeros_between(input logic [DmaW-1:0] dma);
    dma_zeros_between = dma[DmaZerosBetweenLsb +: DmaZerosBetweenW];
  endfunction
  function automatic logic [DmaZerosLastW-1:0] dma_zeros_last(input logic [DmaW-1:0] dma);
    dma_zeros_last = dma[DmaZerosLastLsb +: DmaZerosLastW];
  endfunction

  // How a run ends
  localparam int ErrorCauseW = 4;
  localparam logic [3:0] ErrNone = 4'd0;
  localparam logic [3:0] ErrDecode = 4'd1;
  localparam logic [3:0] ErrNoFinish = 4'd2;
  localparam logic [3:0] ErrIllegal = 4'd3;
  localparam logic [3:0] ErrDeadlock = 4'd4;
  localparam logic [3:0] ErrReadError = 4'd5;
  localparam logic [3:0] ErrWriteError = 4'd6;
  localparam logic [3:0] ErrAborted = 4'd7;
  localparam logic [3:0] ErrTimedOut = 4'd8;

endpackage
