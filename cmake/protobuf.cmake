# Protocol Buffers from their static archive, as the target vantage::protobuf: messages alone, without what carries them.
if(TARGET vantage::protobuf)
  return()
endif()
find_library(VANTAGE_PROTOBUF libprotobuf.a REQUIRED)
add_library(vantage::protobuf INTERFACE IMPORTED GLOBAL)
target_link_libraries(vantage::protobuf INTERFACE ${VANTAGE_PROTOBUF} z)
