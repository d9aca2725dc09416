// Nothing: CMake wants a source to compile headers with (library.cmake).
