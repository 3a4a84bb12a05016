// An action as Python passes it: an integer of any size.
#pragma once

#include <nanobind/nanobind.h>

#include "game.hpp"

namespace ludoteca {

// A number too large for an Action is an illegal action like any other: it becomes kNone, which is legal nowhere, and
// the error message names the original number.
struct GivenAction {
  static constexpr Action kNone = -1;

  Action action = kNone;
  nanobind::handle source;  // what was given

  bool too_large() const { return action == kNone && !source.equal(nanobind::int_(kNone)); }
};

}  // namespace ludoteca

namespace nanobind::detail {

template <>
struct type_caster<ludoteca::GivenAction> {
  NB_TYPE_CASTER(ludoteca::GivenAction, const_name("int"))

  bool from_python(handle source, std::uint8_t flags, cleanup_list* cleanup) noexcept {
    value = {};
    value.source = source;
    make_caster<ludoteca::Action> fitting;
    if (fitting.from_python(source, flags, cleanup)) {
      value.action = fitting.value;
      return true;
    }
    return PyIndex_Check(source.ptr());
  }
};

}  // namespace nanobind::detail
