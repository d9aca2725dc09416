; gemm 1x16_i8w8a32_15_15_18_17
.config {"TARGET":"sim","HW_VER":"0.0.2","LOG_INP_WIDTH":3,"LOG_WGT_WIDTH":3,"LOG_ACC_WIDTH":5,"LOG_BATCH":0,"LOG_BLOCK":4,"LOG_UOP_BUFF_SIZE":15,"LOG_INP_BUFF_SIZE":15,"LOG_WGT_BUFF_SIZE":18,"LOG_ACC_BUFF_SIZE":17,"LOG_BLOCK_IN":4,"LOG_BLOCK_OUT":4,"LOG_BUS_WIDTH":6,"CLOCK_MHZ":100}
load.uop   sram=0 dram=1984 y=1 x=1 stride=1                                                         ; 0
gemm.reset uop=0:1 out=1 in=32 dst=0,1 src=0,1 wgt=0,0                                               ; 1
load.inp   sram=0 dram=400 y=16 x=4 stride=4                                                         ; 2
load.wgt   sram=0 dram=16 y=2 x=4 stride=4 push=next                                                 ; 3
load.uop   sram=1 dram=1985 y=1 x=2 stride=2                                                         ; 4
gemm       uop=1:3 out=16 in=4 dst=2,0 src=4,1 wgt=0,1 pop=prev                                      ; 5
load.acc   sram=32 dram=96 y=1 x=2 stride=2                                                          ; 6
load.uop   sram=3 dram=1987 y=1 x=1 stride=1                                                         ; 7
alu.add    uop=3:4 out=16 in=2 dst=2,1 src=0,1                                                       ; 8
load.uop   sram=4 dram=1988 y=1 x=1 stride=1                                                         ; 9
alu.shr    uop=4:5 out=1 in=32 dst=0,1 src=0,1 imm=8                                                 ; 10
load.uop   sram=5 dram=1989 y=1 x=1 stride=1                                                         ; 11
alu.max    uop=5:6 out=1 in=32 dst=0,1 src=0,1 imm=0                                                 ; 12
load.uop   sram=6 dram=1990 y=1 x=1 stride=1                                                         ; 13
alu.min    uop=6:7 out=1 in=32 dst=0,1 src=0,1 imm=127 push=next                                     ; 14
store.out  sram=0 dram=464 y=16 x=2 stride=2 pop=prev push=prev                                      ; 15
finish pop=next                                                                                      ; 16
