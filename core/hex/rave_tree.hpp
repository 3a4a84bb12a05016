// Where the nodes of the classical engine's tree come from, and what stays of them from one move to the next.
#pragma once

#include <algorithm>
#include <mutex>
#include <vector>

#include "hex/knowledge.hpp"
#include "hex/patterns.hpp"
#include "hex/rave_nodes.hpp"

namespace ludoteca {

struct RaveSettings {
  RaveWeights weights;
  std::uint32_t expand = 10; // an edge gets a node when it has been tried so often
  // When a node has been visited so often, what is certain about it is looked for: first dead and captured cells, then
  // connections that cannot be broken.
  std::array<std::uint32_t, RaveNode::kStudies> study{40, 600};
  float prior = 4;           // helpful simulations that a new edge begins with, half of them won,
  float inherited = 8;       // and at most so many more, from the same move two plies before
  std::size_t bytes = std::size_t{256} << 20;
};

// One step of a simulation: the node, and which of its edges was taken.
struct RaveStep {
  Place node;
  int edge;
};

// Several threads may add nodes at the same time; only one may put the root elsewhere.
class RaveNodes {
 public:
  RaveNodes(const Hex& game, const RaveSettings& settings)
      : game_(game), settings_(settings), playouts_(game), patterns_(game, playouts_), arena_(settings.bytes) {}

  RaveNode& node(Place place) { return *arena_.at<RaveNode>(place); }
  Place root() const { return root_; }
  const HexPlayouts& playouts() const { return playouts_; }

  // How often an edge is tried before a node is made behind it: twice as often whenever half of what was left of the
  // memory has been used, so that a tree which is nearly full grows where it matters.
  float visits_to_expand() const { return expand_at_.load(std::memory_order_relaxed); }

  // Puts the root at a position. `keep`: with all that is known of it from before, if it lies not far below the last root.
  void begin(const State<Hex>& before, const Hex::Public& now, bool keep) {
    const Place found = keep && root_ ? find(root_, before, now, 3) : 0;
    if (found && tells_move(found)) {
      root_ = found;
      if (arena_.used() > 0.5) drop_the_rest();
    } else {
      arena_.clear();
      root_ = add(now, {});
      if (!root_) throw std::bad_alloc();
    }
  }

  // A node for a position to which these steps led. 0 when the memory is full: then the tree stays as it is.
  Place add(const Hex::Public& pub, const std::vector<RaveStep>& path) {
    int count = 0;
    for (Action action = 0; action < game_.size * game_.size; ++action) count += !pub.cell[index(game_.at(action))];
    const int capacity = (count + RaveEdges::kLanes - 1) / RaveEdges::kLanes * RaveEdges::kLanes;
    const Place place = take(sizeof(RaveNode) + RaveEdges::bytes(index(capacity)));
    if (!place) return 0;
    RaveNode& made = *new (arena_.at<RaveNode>(place)) RaveNode;
    made.turn = pub.turn;
    made.opens = game_.swap && pub.moves == 0;
    made.swappable = game_.can_swap(pub);
    made.count = static_cast<std::uint16_t>(count);
    made.capacity = static_cast<std::uint16_t>(capacity);
    const RaveEdges all(made);
    int edge = 0;
    for (Action action = 0; action < game_.size * game_.size; ++action) {
      if (!pub.cell[index(game_.at(action))]) all.begin(edge++, game_.at(action), settings_.prior, 0.5f);
    }
    all.end(count, capacity);
    if (path.size() >= 2) inherit(node(path[path.size() - 2].node), made);
    favour(pub, made);
    return place;
  }

  // Room for settled cells; 0 when the memory is full.
  Place add(const std::vector<HexSettled>& settled) {
    const Place place = take(settled.size() * sizeof(HexSettled));
    if (place) std::copy(settled.begin(), settled.end(), arena_.at<HexSettled>(place));
    return place;
  }

  // Puts the stones that a node knows of, though nobody has played them.
  void fill(const RaveNode& node, Hex::Public& pub) {
    const HexSettled* settled = node.filled ? arena_.at<HexSettled>(node.fill) : nullptr;
    for (int i = 0; i < node.filled; ++i) game_.put(pub, settled[i].owner, game_.at(settled[i].cell));
  }

  // 1 if some edge surely wins, -1 if all lose, else 0.
  int proof(const RaveNode& node) const {
    const RaveEdges all(node);
    return all.proof(all.best(node.count, settings_.weights));
  }

 private:
  static constexpr std::uint32_t kLeastShare = 5000;  // of the root's visits that a node has which is kept: one in so many

  const Hex& game_;
  const RaveSettings settings_;
  const HexPlayouts playouts_;
  const HexPatterns patterns_;
  std::mutex growing_;
  Arena arena_;
  std::atomic<float> expand_at_{0};
  Place root_ = 0;

  static constexpr std::size_t index(int i) { return static_cast<std::size_t>(i); }

  Place take(std::size_t bytes) {
    const std::lock_guard alone(growing_);
    float visits = static_cast<float>(settings_.expand);
    for (double left = 1 - arena_.used(); left < 0.5 && visits < 1e7f; left *= 2) visits *= 2;
    expand_at_.store(visits, std::memory_order_relaxed);
    return arena_.take(bytes);
  }

  // What the same moves were worth two plies before is a first guess of what they are worth now.
  void inherit(RaveNode& from, const RaveNode& to) {
    if (from.turn != to.turn || settings_.inherited <= 0) return;
    const Hold hold(from);
    const RaveEdges known(from), all(to);
    for (int i = 0, k = 0; i < to.count; ++i) {
      while (k < from.count && known.cell[k] < all.cell[i]) ++k;
      if (k == from.count || known.cell[k] != all.cell[i] || known.proof(k)) continue;
      const float times = std::min(settings_.inherited, known.helpful[k] + known.visits[k]);
      all.helpful[i] += times;
      all.helpful_wins[i] += times * known.value(k, settings_.weights);
    }
  }

  // What a good player often plays where it looks so is tried first.
  void favour(const Hex::Public& pub, const RaveNode& node) {
    const HexPatterns::Position position(patterns_, pub);
    const RaveEdges all(node);
    float sum = 0;
    for (int i = 0; i < node.count; ++i) sum += all.favour[i] = position.weight(all.cell[i]);
    for (int i = 0; i < node.count; ++i) all.favour[i] /= sum;
  }

  // The node of a position that lies at most so many plies below a node, or 0.
  Place find(Place at, const State<Hex>& state, const Hex::Public& wanted, int plies) {
    if (state.pub.cell == wanted.cell && state.pub.turn == wanted.turn) return at;
    if (plies == 0) return 0;
    const RaveNode& from = node(at);
    const RaveEdges all(from);
    for (int i = 0; i < from.count; ++i) {
      const int cell = all.cell[i];
      if (!all.link[i] || !(wanted.cell[index(cell)] & Hex::stone(from.turn))) continue;
      State<Hex> next = state;
      game_.apply(next, game_.action_at(cell));
      if (const Place found = find(all.link[i], next, wanted, plies - 1)) return found;
    }
    return 0;
  }

  // Whether a node that is proven also says by which moves.
  bool tells_move(Place at) { return node(at).swappable || proof(node(at)) == node(at).proof; }

  // Keeps what lies below the root and was visited now and then, moved together at the beginning of the memory. A node lies
  // behind the one above it, and its settled cells behind it: so whatever points at a piece has been moved before it.
  void drop_the_rest() {
    struct Piece {
      Place from;
      std::size_t owner;  // what points at it, among the pieces
      int edge;           // by which edge; kFill for settled cells
    };
    constexpr int kFill = -1;
    std::vector<Piece> pieces{{root_, 0, 0}};
    const std::uint32_t least = node(root_).visits / kLeastShare;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      if (pieces[i].edge == kFill) continue;
      const RaveNode& from = node(pieces[i].from);
      const RaveEdges all(from);
      if (from.filled) pieces.push_back({from.fill, i, kFill});
      for (int edge = 0; edge < from.count; ++edge) {
        if (!all.link[edge]) continue;
        if (node(all.link[edge]).visits < least) all.link[edge] = 0;
        else pieces.push_back({all.link[edge], i, edge});
      }
    }
    std::vector<std::size_t> order(pieces.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return pieces[a].from < pieces[b].from; });
    arena_.clear();
    for (const std::size_t i : order) {
      Piece& piece = pieces[i];
      RaveNode* owner = i ? &node(pieces[piece.owner].from) : nullptr;
      const bool fill = piece.edge == kFill;
      const std::size_t bytes = fill ? owner->filled * sizeof(HexSettled)
                                     : sizeof(RaveNode) + RaveEdges::bytes(node(piece.from).capacity);
      const Place to = take(bytes);
      std::memmove(arena_.at<std::byte>(to), arena_.at<std::byte>(piece.from), bytes);
      piece.from = to;
      if (!owner) root_ = to;
      else if (fill) owner->fill = to;
      else RaveEdges(*owner).link[piece.edge] = to;
    }
  }
};

}  // namespace ludoteca
