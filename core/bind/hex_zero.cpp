// Networks of Hex as Python sees them: see zero.hpp.
#include "bind/zero.hpp"
#include "hex/encoding.hpp"
#include "hex/static_proof.hpp"

namespace ludoteca {

void bind_hex_zero(nb::module_& m) { bind_zero<Hex>(m, "Hex"); }

}  // namespace ludoteca
