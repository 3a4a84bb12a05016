// The Python module of the core. What it holds is in bind.hpp and, game by game, in bind_*.cpp.
#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include "search/choice.hpp"

namespace ludoteca {

void bind_dominoes(nanobind::module_& m);
void bind_dominoes_minimax(nanobind::module_& m);
void bind_hex(nanobind::module_& m);
void bind_hex_searches(nanobind::module_& m);
void bind_horses(nanobind::module_& m);
void bind_horses_minimax(nanobind::module_& m);
void bind_kittens(nanobind::module_& m);

}  // namespace ludoteca

NB_MODULE(_core, m) {
  using ludoteca::Look;
  nanobind::class_<Look>(m, "Look")
      .def_ro("action", &Look::action)
      .def_ro("values", &Look::values)
      .def_ro("line", &Look::line)
      .def_ro("depth", &Look::depth)
      .def_ro("exhaustive", &Look::exhaustive)
      .def_ro("nodes", &Look::nodes);
  ludoteca::bind_dominoes(m);
  ludoteca::bind_dominoes_minimax(m);
  ludoteca::bind_hex(m);
  ludoteca::bind_hex_searches(m);
  ludoteca::bind_horses(m);
  ludoteca::bind_horses_minimax(m);
  ludoteca::bind_kittens(m);
}
