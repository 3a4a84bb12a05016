// Proves who wins a Hex position: depth-first proof-number search (df-pn).
//
// Each node is analysed first (static_analysis.hpp): fill-in, a winning connection, the must-play region. Its moves are
// ordered by electrical current (resistance.hpp), and only the first of the remaining ones count at a time, so that the
// search does not spread over hopeless moves.
//
// A proof leaves the winner's carrier. It prunes the parent's moves: a move outside the carrier of the answer to one
// losing move loses to the same answer.
#pragma once

#include <functional>

#include "hex/resistance.hpp"
#include "hex/static_analysis.hpp"
#include "hex/proof_position.hpp"
#include "hex/proof_table.hpp"
#include "search/limits.hpp"

namespace ludoteca {

template <int W>
class HexDfpn {
 public:
  using Set = Cells<W>;
  using Position = ProofPosition<W>;
  using Table = ProofTable<W>;
  using Entry = typename Table::Entry;

  // What the threads of one search share.
  struct Shared {
    const HexMap<W>& map;
    Table& table;
    const int threads;
    // Where each thread is: by depth and thread, the key of the node.
    std::vector<std::vector<std::atomic<std::uint64_t>>> paths;

    Shared(const HexMap<W>& map_, Table& table_, int threads_) : map(map_), table(table_), threads(threads_) {
      for (int depth = 0; depth < map.cells + 2; ++depth) paths.emplace_back(index(threads));
    }
  };

  HexDfpn(Shared& shared, ConnectionLimits connections, int thread, Limits& limits)
      : shared_(shared), map_(shared.map), table_(shared.table), limits_(limits), thread_(thread), positions_(map_),
        analyser_(map_, connections), own_resistance_(map_.cells), other_resistance_(map_.cells),
        frames_(index(map_.cells) + 2), cache_(kCacheSize) {}

  const ProofPositions<W>& positions() const { return positions_; }

  // Searches until the root is solved (true) or the limits end it. The results are in the table, see `lookup`.
  bool prove(const Position& root) {
    root_ = root;
    while (!limits_.spent() && !root_solved()) {
      search(root, map_.board, {ProofNumbers::kInfinite, ProofNumbers::kInfinite}, 0);
    }
    return root_solved();
  }

  // The table entry of a position; proof numbers 1 and 1 if there is none.
  Entry lookup(const Position& position) const {
    return ludoteca::lookup(map_, positions_, table_, position);
  }

  // The position with dead and captured cells filled in, from which the search continues.
  Position filled(const Position& from) const {
    HexStones<W> stones = from.stones;
    analyser_.fill_in().fill(stones);
    return positions_.with(from, stones);
  }

  // Calls f(move, depth) now and then: the root move being searched, and the depth reached so far.
  void on_progress(std::function<void(int, int)> f) { on_progress_ = std::move(f); }
  std::uint64_t nodes() const { return nodes_; }

 private:
  using Analyser = HexAnalyserOf<W>;
  using Analysis = typename Analyser::Analysis;
  static constexpr std::uint64_t kNodesPerCheck = 1;
  static constexpr std::size_t kCacheSize = 1 << 12;
  static constexpr int kFirst = 1, kShare = 4;  // moves that count at a time: kFirst and a share of the rest

  // An analysed node.
  struct Node {
    std::uint64_t key = 0;
    Position filled;
    Analysis analysis;
    ActionList<64 * W> order;
  };
  struct Child {
    int move;
    ProofNumbers numbers;
  };
  struct Frame {
    Node node;
    std::vector<Child> children;
    std::vector<Set> answers;  // carriers of threats, and of answers to losing moves
  };

  Shared& shared_;
  const HexMap<W>& map_;
  Table& table_;
  Limits& limits_;
  const int thread_;
  const ProofPositions<W> positions_;
  Analyser analyser_;
  HexResistance<W> own_resistance_, other_resistance_;
  Position root_{};
  std::vector<Frame> frames_;
  std::vector<Node> cache_;  // recent analyses, by key: each slot holds the last, since a Node is large
  std::uint64_t nodes_ = 0;
  int max_depth_ = 0;
  std::function<void(int, int)> on_progress_;

  // Solved by this thread or another one.
  bool root_solved() const { return lookup(root_).numbers.solved(); }

  void store(const Position& position, Entry entry) {
    if (positions_.is_rotated(position)) {
      entry.carrier = map_.rotated(entry.carrier);
      if (entry.move >= 0) entry.move = map_.cells - 1 - entry.move;
    }
    table_.store(positions_.key(position), entry);
  }
  // carrier: of the filled position.
  void store_solved(const Position& position, const Node& node, Seat winner, int move, int depth, const Set& carrier,
                    std::uint64_t cost) {
    Entry entry;
    entry.numbers = winner == position.turn ? ProofNumbers::win() : ProofNumbers::loss();
    entry.move = move;
    entry.depth = depth;
    entry.cost = cost;
    entry.carrier = analyser_.before_filling(carrier, position.stones, node.filled.stones, winner);
    store(position, entry);
  }

  // Analyses the position, unless the cache has it. Returns false when the limits are spent.
  bool analyse(const Position& position, const Set& changed, Node& out) {
    const std::uint64_t id = positions_.own_key(position);
    Node& cached = cache_[id % kCacheSize];
    if (cached.key == id) {
      out = cached;
      return true;
    }
    if (!limits_.spend(kNodesPerCheck)) return false;
    ++nodes_;
    out.key = id;
    out.analysis = analyser_.analyse(position.stones, position.turn, changed);
    out.filled = positions_.with(position, out.analysis.filled);
    out.order.size = 0;
    if (out.analysis.winner == kNobody) order_moves(out);
    cached = out;
    return true;
  }

  void order_moves(Node& node) {
    const Analysis& analysis = node.analysis;
    own_resistance_.compute(analyser_.connections_of_mover());
    other_resistance_.compute(analyser_.connections_of_other());
    (analysis.must_play - analysis.vulnerable).each([&](int cell) { node.order.add(cell); });
    std::array<double, 64 * W> value;
    for (const Action cell : node.order) {
      value[index(cell)] = own_resistance_[cell] + other_resistance_[cell] - (analysis.dominated.has(cell) ? 10 : 0);
    }
    highest_first({node.order.items.data(), index(node.order.size)}, value.data());
  }

  // Searches below the position until it is solved or one of its proof numbers reaches the threshold.
  void search(const Position& position, const Set& changed, ProofNumbers threshold, int depth) {
    const std::uint64_t before = nodes_;
    Frame& frame = frames_[index(depth)];
    Node& node = frame.node;
    if (!analyse(position, changed, node)) return;
    const Analysis& analysis = node.analysis;
    if (analysis.winner != kNobody) {
      return store_solved(position, node, analysis.winner, analysis.move, 1, analysis.carrier, 1);
    }
    shared_.paths[index(depth)][index(thread_)].store(positions_.key(position), std::memory_order_relaxed);
    while (!limits_.spent() && !(shared_.threads > 1 && root_solved())) {
      if (update_children(position, node, frame, nodes_ - before + 1)) break;
      ProofNumbers numbers;
      const std::size_t best = compute_numbers(node, frame, numbers, depth);
      if (numbers.phi >= threshold.phi || numbers.delta >= threshold.delta) {
        Entry entry;
        entry.numbers = numbers;
        entry.cost = nodes_ - before + 1;
        store(position, entry);
        break;
      }
      const Child& child = frame.children[best];
      max_depth_ = std::max(max_depth_, depth + 1);
      if (depth == 0 && on_progress_) on_progress_(child.move, max_depth_);
      std::uint32_t second = ProofNumbers::kInfinite;
      for (std::size_t i = 0; i < frame.children.size(); ++i) {
        if (i != best) second = std::min(second, frame.children[i].numbers.delta);
      }
      ProofNumbers below;
      below.phi = std::min(threshold.delta - (numbers.delta - child.numbers.phi), ProofNumbers::kInfinite);
      below.delta = std::min(threshold.phi, second >= ProofNumbers::kInfinite ? second : second + second / 4 + 1);
      search(positions_.after(node.filled, child.move), Set::of(child.move), below, depth + 1);
    }
    shared_.paths[index(depth)][index(thread_)].store(0, std::memory_order_relaxed);
  }

  // Reads the children from the table and prunes moves by the carriers of losing ones. Returns whether that solves it.
  bool update_children(const Position& position, const Node& node, Frame& frame, std::uint64_t cost) {
    const Analysis& analysis = node.analysis;
    Set live = analysis.must_play - analysis.vulnerable;
    int depth = 0;
    frame.children.clear();
    frame.answers = analysis.threats;
    for (const Action move : node.order) {
      const Entry child = lookup(positions_.after(node.filled, move));
      if (child.numbers.loses()) {
        store_solved(position, node, position.turn, move, child.depth + 1, child.carrier | Set::of(move), cost);
        return true;
      }
      if (child.numbers.wins()) {
        live &= child.carrier;
        live.remove(move);
        frame.answers.push_back(child.carrier);
        depth = std::max(depth, child.depth);
      } else if (live.has(move)) {
        frame.children.push_back({move, child.numbers});
      }
    }
    std::erase_if(frame.children, [&](const Child& child) { return !live.has(child.move); });
    if (!frame.children.empty()) return false;
    const Seat winner = other(position.turn);
    store_solved(position, node, winner, -1, depth + 1, analyser_.refutation(analysis, frame.answers, winner), cost);
    return true;
  }

  bool others_are_at(std::uint64_t node, int depth) const {
    const auto& there = shared_.paths[index(depth)];
    for (int thread = 0; thread < shared_.threads; ++thread) {
      if (thread != thread_ && there[index(thread)].load(std::memory_order_relaxed) == node) return true;
    }
    return false;
  }

  // Computes the proof numbers of the node from its first moves. Returns the child to search next: the best, or with
  // several threads one that is nearly as good and that no other thread is searching.
  std::size_t compute_numbers(const Node& node, Frame& frame, ProofNumbers& numbers, int depth) {
    auto& children = frame.children;
    const std::size_t count = std::min(children.size(), kFirst + (children.size() + kShare - 1) / kShare);
    children.resize(count);
    std::size_t best = 0;
    std::uint64_t sum = 0, least = ~std::uint64_t{0};
    numbers.phi = ProofNumbers::kInfinite;
    for (std::size_t i = 0; i < count; ++i) {
      sum += children[i].numbers.phi;
      numbers.phi = std::min(numbers.phi, children[i].numbers.delta);
      std::uint64_t value = children[i].numbers.delta;
      if (shared_.threads > 1) {
        const Position child = positions_.after(node.filled, children[i].move);
        if (others_are_at(positions_.key(child), depth + 1)) value += value / 2 + 2;
      }
      if (value < least) {
        least = value;
        best = i;
      }
    }
    numbers.delta = static_cast<std::uint32_t>(std::min<std::uint64_t>(sum, ProofNumbers::kInfinite - 1));
    return best;
  }
};

}  // namespace ludoteca
