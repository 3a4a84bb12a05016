// Proves who wins a position of Hex: depth-first proof-number search (df-pn).
//
// Each node is judged first (see judge.hpp): filled in, tested for a winning link, its moves cut down to those that
// meet the other's threats. Moves are tried in the order of the current through them, and only the best part of those
// that are left counts at a time, so that the search does not spread over moves that nobody would make.
//
// A proof leaves the winner's carrier. It cuts its parent's moves: what does not touch the carrier of the answer to one
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
class HexProver {
 public:
  using Set = Cells<W>;
  using Position = ProofPosition<W>;
  using Table = ProofTable<W>;
  using Entry = typename Table::Entry;

  // What the provers of one search share.
  struct Shared {
    const HexMap<W>& map;
    Table& table;
    const int threads;
    // Where each thread is: by depth and thread the key of the node.
    std::vector<std::vector<std::atomic<std::uint64_t>>> paths;

    Shared(const HexMap<W>& map_, Table& table_, int threads_) : map(map_), table(table_), threads(threads_) {
      for (int depth = 0; depth < map.cells + 2; ++depth) paths.emplace_back(index(threads));
    }
  };

  HexProver(Shared& shared, LinkLimits links, int thread, Limits& limits)
      : shared_(shared), map_(shared.map), table_(shared.table), limits_(limits), thread_(thread), positions_(map_),
        judge_(map_, links), mine_(map_.cells), theirs_(map_.cells), frames_(index(map_.cells) + 2), known_(kKnown) {}

  const ProofPositions<W>& positions() const { return positions_; }

  // Searches until it is solved (true) or the limits end it. What was found is in the table, see `known`.
  bool prove(const Position& root) {
    root_ = root;
    while (!limits_.spent() && !root_solved()) {
      search(root, map_.board, {ProofNumbers::kInfinite, ProofNumbers::kInfinite}, 0);
    }
    return root_solved();
  }

  // What the table knows; numbers 1 and 1 for nothing.
  Entry known(const Position& position) const {
    Entry out;
    table_.probe(positions_.key(position), out);
    if (positions_.is_turned(position) && out.numbers.solved()) {
      out.carrier = map_.turned(out.carrier);
      if (out.move >= 0) out.move = map_.cells - 1 - out.move;
    }
    return out;
  }

  // Filled in, as the search goes on from it.
  Position filled(const Position& from) const {
    HexStones<W> stones = from.stones;
    judge_.fill_in().fill(stones);
    return positions_.with(from, stones);
  }

  // Calls f(move, depth) now and then: the first move that it looks at, and how many plies it has looked ahead.
  void on_progress(std::function<void(int, int)> f) { tell_ = std::move(f); }
  std::uint64_t nodes() const { return nodes_; }

 private:
  using Judge = HexJudge<W>;
  using Verdict = typename Judge::Verdict;
  static constexpr std::uint64_t kNodesPerCheck = 1;
  static constexpr std::size_t kKnown = 1 << 12;
  static constexpr int kFirst = 1, kShare = 4;  // so many moves count at once: the first ones and one of each four left

  // A judged node.
  struct Node {
    std::uint64_t key = 0;
    Position filled;
    Verdict verdict;
    ActionList<64 * W> order;
  };
  struct Child {
    int move;
    ProofNumbers numbers;
  };
  struct Frame {
    Node node;
    std::vector<Child> children;
    std::vector<Set> answers;  // carriers of threats, and of answers to moves that lose
  };

  Shared& shared_;
  const HexMap<W>& map_;
  Table& table_;
  Limits& limits_;
  const int thread_;
  const ProofPositions<W> positions_;
  Judge judge_;
  HexCurrents<W> mine_, theirs_;
  Position root_{};
  std::vector<Frame> frames_;
  std::vector<Node> known_;  // judged lately, by key
  std::uint64_t nodes_ = 0;
  int deepest_ = 0;
  std::function<void(int, int)> tell_;

  static constexpr std::size_t index(int i) { return static_cast<std::size_t>(i); }

  // By this thread or another one.
  bool root_solved() const { return known(root_).numbers.solved(); }

  void store(const Position& position, Entry entry) {
    if (positions_.is_turned(position)) {
      entry.carrier = map_.turned(entry.carrier);
      if (entry.move >= 0) entry.move = map_.cells - 1 - entry.move;
    }
    table_.store(positions_.key(position), entry);
  }
  // The carrier is one of the filled position.
  void store_solved(const Position& position, const Node& node, Seat winner, int move, int depth, const Set& carrier,
                    std::uint64_t cost) {
    Entry entry;
    entry.numbers = winner == position.turn ? ProofNumbers::win() : ProofNumbers::loss();
    entry.move = move;
    entry.depth = depth;
    entry.cost = cost;
    entry.carrier = judge_.before_filling(carrier, position.stones, node.filled.stones, winner);
    store(position, entry);
  }

  // Judges the position, or remembers how it was judged. False: the limits have ended.
  bool judge(const Position& position, const Set& changed, Node& out) {
    const std::uint64_t id = positions_.own_key(position);
    Node& place = known_[id % kKnown];
    if (place.key == id) {
      out = place;
      return true;
    }
    if (!limits_.spend(kNodesPerCheck)) return false;
    ++nodes_;
    out.key = id;
    out.verdict = judge_.judge(position.stones, position.turn, changed);
    out.filled = positions_.with(position, out.verdict.filled);
    out.order.size = 0;
    if (out.verdict.winner == kNobody) put_in_order(out);
    place = out;
    return true;
  }

  void put_in_order(Node& node) {
    const Verdict& verdict = node.verdict;
    mine_.measure(judge_.links_of_mover());
    theirs_.measure(judge_.links_of_other());
    (verdict.must_play - verdict.vulnerable).each([&](int cell) { node.order.add(cell); });
    std::array<double, 64 * W> value;
    for (const Action cell : node.order) {
      value[index(cell)] = mine_[cell] + theirs_[cell] - (verdict.dominated.has(cell) ? 10 : 0);
    }
    std::stable_sort(node.order.items.begin(), node.order.items.begin() + node.order.size,
                     [&](Action a, Action b) { return value[index(a)] > value[index(b)]; });
  }

  // Searches below the position until it is solved, or one of its numbers reaches the threshold.
  void search(const Position& position, const Set& changed, ProofNumbers threshold, int depth) {
    const std::uint64_t before = nodes_;
    Frame& frame = frames_[index(depth)];
    Node& node = frame.node;
    if (!judge(position, changed, node)) return;
    const Verdict& verdict = node.verdict;
    if (verdict.winner != kNobody) {
      return store_solved(position, node, verdict.winner, verdict.move, 1, verdict.carrier, 1);
    }
    shared_.paths[index(depth)][index(thread_)].store(positions_.key(position), std::memory_order_relaxed);
    while (!limits_.spent() && !(shared_.threads > 1 && root_solved())) {
      if (settle(position, node, frame, nodes_ - before + 1)) break;
      ProofNumbers numbers;
      const std::size_t best = sum_up(node, frame, numbers, depth);
      if (numbers.phi >= threshold.phi || numbers.delta >= threshold.delta) {
        Entry entry;
        entry.numbers = numbers;
        entry.cost = nodes_ - before + 1;
        store(position, entry);
        break;
      }
      const Child& child = frame.children[best];
      deepest_ = std::max(deepest_, depth + 1);
      if (depth == 0 && tell_) tell_(child.move, deepest_);
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

  // Reads the children from the table and cuts the moves by the carriers of those that lose. True: that solves it.
  bool settle(const Position& position, const Node& node, Frame& frame, std::uint64_t cost) {
    const Verdict& verdict = node.verdict;
    Set live = verdict.must_play - verdict.vulnerable;
    int depth = 0;
    frame.children.clear();
    frame.answers = verdict.threats;
    for (const Action move : node.order) {
      const Entry child = known(positions_.after(node.filled, move));
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
    store_solved(position, node, winner, -1, depth + 1, judge_.refutation(verdict, frame.answers, winner), cost);
    return true;
  }

  bool others_are_at(std::uint64_t node, int depth) const {
    const auto& there = shared_.paths[index(depth)];
    for (int thread = 0; thread < shared_.threads; ++thread) {
      if (thread != thread_ && there[index(thread)].load(std::memory_order_relaxed) == node) return true;
    }
    return false;
  }

  // The numbers of the node, of the best moves only; which child to search next: the best, or with
  // several threads one that is nearly as good and where no other is at work.
  std::size_t sum_up(const Node& node, Frame& frame, ProofNumbers& numbers, int depth) {
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
