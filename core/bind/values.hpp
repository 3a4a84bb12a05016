// Values passed between the core and Python: states and views, seats, actions, arrays, bytes.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <string>

#include "bind/given_action.hpp"
#include "game.hpp"

namespace nb = nanobind;

namespace ludoteca {

using namespace nb::literals;

template <class G>
struct BoundState {
  nb::object game;  // the Python object, which owns `rules`
  const G* rules;
  State<G> state;
};

template <class G>
struct BoundView {
  nb::object game;
  const G* rules;
  View<G> view;
};

// A type that the stub can name, unlike a plain nb::list or nb::object.
using IntList = nb::typed<nb::list, int>;

inline std::optional<int> seat_or_none(Seat seat) {
  if (seat == kNobody) return std::nullopt;
  return seat;
}

template <int Capacity>
IntList list_of(const ActionList<Capacity>& actions) {
  IntList out;
  for (Action action : actions) out.append(static_cast<int>(action));
  return out;
}

inline Seat checked_seat(int seat) {
  if (seat == 0 || seat == 1) return static_cast<Seat>(seat);
  throw nb::value_error(("seat " + std::to_string(seat) + " does not exist: seats are 0 and 1").c_str());
}

template <class T>
std::size_t product(const T& shape) {
  std::size_t size = 1;
  for (auto n : shape) size *= static_cast<std::size_t>(n);
  return size;
}

// A new NumPy array of this shape, filled by `fill(pointer)`.
template <class T, class Fill>
nb::ndarray<nb::numpy, T> array_of(const std::vector<std::size_t>& shape, Fill fill) {
  auto data = std::make_unique<T[]>(product(shape));
  fill(data.get());
  nb::capsule owner(data.get(), [](void* p) noexcept { delete[] static_cast<T*>(p); });
  return nb::ndarray<nb::numpy, T>(data.release(), shape.size(), shape.data(), owner);
}

template <class G>
std::vector<std::size_t> shape_of(const G& rules, std::optional<std::size_t> rows = {}) {
  std::vector<std::size_t> shape;
  if (rows) shape.push_back(*rows);
  for (int n : rules.tensor_shape()) shape.push_back(static_cast<std::size_t>(n));
  return shape;
}

// Raises ludoteca.errors.IllegalAction, which writes the message from the state and the action.
[[noreturn]] inline void raise_illegal(nb::handle state, nb::handle action) {
  nb::object error = nb::module_::import_("ludoteca.errors").attr("IllegalAction").attr("at")(state, action);
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
  throw nb::python_error();
}

// Bytes as sent by `bytes(view)`: trusted to come from the same game, but never of another length.
template <class T>
T from_bytes(const nb::bytes& data, const char* what) {
  if (data.size() != sizeof(T)) {
    throw nb::value_error((std::string(what) + " has " + std::to_string(sizeof(T)) + " bytes, not " +
                           std::to_string(data.size()))
                              .c_str());
  }
  T out;
  std::memcpy(static_cast<void*>(&out), data.c_str(), sizeof(T));
  return out;
}

// For __reduce__: the game's method `maker`, called with these bytes.
inline nb::typed<nb::tuple, nb::any, nb::ellipsis> pickled(nb::handle self, const char* maker) {
  nb::object call = nb::module_::import_("operator").attr("methodcaller")(maker, self.attr("__bytes__")());
  return nb::make_tuple(call, nb::make_tuple(self.attr("game")));
}

}  // namespace ludoteca
