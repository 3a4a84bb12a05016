// What a search may use of the machine: the same settings, defaults and checks for every engine.
#pragma once

#include <cstddef>
#include <stdexcept>

namespace ludoteca {

// Memory and threads of one engine.
struct Resources {
  static constexpr int kMegabytes = 256;  // the default

  std::size_t bytes = std::size_t{kMegabytes} << 20;  // of tables and trees
  int threads = 1;

  Resources() = default;
  // Throws std::invalid_argument if one of them is below 1.
  Resources(int megabytes, int threads_) : bytes(static_cast<std::size_t>(megabytes) << 20), threads(threads_) {
    if (megabytes < 1 || threads < 1) throw std::invalid_argument("memory and threads must be at least 1");
  }
};

}  // namespace ludoteca
