// Serialises plain values, for checkpoints that are read by the same build that wrote them.
#pragma once

#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace ludoteca {

// Writer and Reader serialise every class with a method `serialise(archive)` that passes its members one by one.
class Writer {
 public:
  std::string bytes;

  template <class T>
  void operator()(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  template <class T>
  void operator()(const std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    (*this)(values.size());
    bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  }
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : left_(bytes) {}

  template <class T>
  void operator()(T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    take(&value, sizeof value);
  }
  template <class T>
  void operator()(std::vector<T>& values) {
    std::size_t size = 0;
    (*this)(size);
    if (size > left_.size() / sizeof(T)) fail();
    values.resize(size);
    take(values.data(), size * sizeof(T));
  }
  void end() const {
    if (!left_.empty()) fail();
  }

 private:
  std::string_view left_;

  void take(void* to, std::size_t size) {
    if (size > left_.size()) fail();
    if (size == 0) return;  // an empty vector may have no address
    std::memcpy(to, left_.data(), size);
    left_.remove_prefix(size);
  }
  [[noreturn]] static void fail() { throw std::invalid_argument("these bytes were not saved by this build"); }
};

}  // namespace ludoteca
