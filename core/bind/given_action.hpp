// An action as Python gives it: any whole number, however large.
#pragma once

#include <nanobind/nanobind.h>

#include "game.hpp"

namespace ludoteca {

// Numbers that are too large for an Action are as wrong as those that a game does not have: they become kNone, which is
// legal nowhere, and the message names the number itself.
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
