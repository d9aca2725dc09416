// Stands in for NVIDIA's compiler where that has a cache, as NVRTC 13 has with a driver: what it compiled before it
// gives again, and says nothing of registers, unless it is told to keep no cache.
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

struct Program {
  std::string log;
};

int copy(const std::string& text, char* to) {
  std::memcpy(to, text.c_str(), text.size() + 1);
  return 0;
}

const std::string kCode = "code";

}  // namespace

extern "C" {

int nvrtcVersion(int* major, int* minor) {
  *major = 13;
  *minor = 0;
  return 0;
}
int nvrtcGetNumSupportedArchs(int* count) {
  *count = 1;
  return 0;
}
int nvrtcGetSupportedArchs(int* all) {
  *all = 80;
  return 0;
}
const char* nvrtcGetErrorString(int) {
  return "as the stand-in says";
}
int nvrtcCreateProgram(void** program, const char*, const char*, int, const char* const*, const char* const*) {
  *program = new Program;
  return 0;
}
int nvrtcDestroyProgram(void** program) {
  delete static_cast<Program*>(*program);
  return 0;
}
int nvrtcCompileProgram(void* program, int count, const char* const* options) {
  for (int i = 0; i < count; ++i) {
    if (std::strcmp(options[i], "--no-cache") != 0) continue;
    static_cast<Program*>(program)->log =
        "ptxas info    : Compiling entry function 'a' for 'sm_80'\nptxas info    : Used 18 registers\n";
  }
  return 0;
}
int nvrtcGetProgramLogSize(void* program, size_t* size) {
  *size = static_cast<Program*>(program)->log.size() + 1;
  return 0;
}
int nvrtcGetProgramLog(void* program, char* log) {
  return copy(static_cast<Program*>(program)->log, log);
}
int nvrtcGetPTXSize(void*, size_t* size) {
  *size = kCode.size() + 1;
  return 0;
}
int nvrtcGetPTX(void*, char* ptx) {
  return copy(kCode, ptx);
}
int nvrtcGetCUBINSize(void*, size_t* size) {
  *size = kCode.size() + 1;
  return 0;
}
int nvrtcGetCUBIN(void*, char* cubin) {
  return copy(kCode, cubin);
}

}  // extern "C"
