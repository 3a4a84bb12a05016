// Many matches that a network plays against itself, all waiting for its opinion at the same time.
//
//     every match:  root ─► select ─► leaf ─► [network] ─► learn ─► select ─► … ─► move ─► next root ─► …
//     every step:   one leaf of each match goes out as a batch; the answers come in; nothing else is waited for
//
// A finished match leaves a sample for each of its decisions: what was seen, the improved policy, and what came of it.
// What is played depends on the seed and on the answers, never on the threads.
#pragma once

#include <atomic>
#include <memory>

#include "search/workers.hpp"
#include "zero/checkpoint.hpp"
#include "zero/gumbel_root.hpp"

namespace ludoteca {

struct SelfPlaySettings {
  int simulations = 32;
  int candidates = 16;      // actions of a root that get simulations
  int kept = 32;            // edges of a node inside the tree
  int early = 10;           // decisions in the beginning of a match
  float early_noise = 1, late_noise = 0.4f;  // how much chance there is in them, and in later ones
  float resign = -0.95f;    // a seat that expects less gives up, in most matches
  float play_on = 0.25f;    // share of matches in which nobody does
  float result_share = 0.3f, trace = 0.97f;  // value target: so much the result, the rest later values, TD(lambda)
  std::array<float, 5> random_actions{1, 0, 0, 0, 0};  // how often a match begins with 0, 1, 2, 3 or more of them
};

struct SelfPlayCounts {
  std::uint64_t matches = 0, decisions = 0, evaluations = 0, first_wins = 0, resigned = 0;
};

// What a match leaves behind; arrays of one row for each decision.
struct Samples {
  std::vector<std::int8_t> seen;
  std::vector<float> policy;
  std::vector<float> value;  // for the seat on turn, in [-1, 1]

  void clear() {
    seen.clear();
    policy.clear();
    value.clear();
  }
  void add(const Samples& more) {
    seen.insert(seen.end(), more.seen.begin(), more.seen.end());
    policy.insert(policy.end(), more.policy.begin(), more.policy.end());
    value.insert(value.end(), more.value.begin(), more.value.end());
  }
  template <class Archive>
  void pass(Archive& archive) {
    archive(seen);
    archive(policy);
    archive(value);
  }
};

// One of the matches. It always waits for the network's opinion of one position.
template <Shaped G>
class SelfPlayMatch {
 public:
  SelfPlayMatch(const G& g, const SelfPlaySettings& settings, std::uint64_t seed)
      : g_(g), settings_(settings), tree_({}, settings.kept), rng_{seed} {
    start();
  }

  // The position that it asks about.
  void see(std::int8_t* out) const { Shape<G>::see(g_, asked_.pub, out); }

  // Takes the answer, logits by cell and the value, both for the seat on turn, and goes on to the next question.
  void answer(const float* logits, float value) {
    ++counts.evaluations;
    if (at_root_) {
      const float noise = decisions_ < settings_.early ? settings_.early_noise : settings_.late_noise;
      root_.begin(g_, state_, tree_, logits, value, noise, rng_, settings_.candidates, settings_.simulations);
      at_root_ = false;
    } else {
      tree_.open(g_, asked_, path_.back(), logits, value, [](Action) { return true; });
      tree_.learn(path_);
      root_.visited(tree_);
    }
    if (!search()) decide();
  }

  Samples finished;  // of the matches that ended since they were last taken
  SelfPlayCounts counts;

  template <class Archive>
  void pass(Archive& archive) {
    archive(state_);
    archive(asked_);
    archive(rng_);
    archive(at_root_);
    archive(resigns_);
    archive(decisions_);
    archive(path_);
    archive(tree_.nodes_);
    archive(tree_.edges_);
    archive(root_.all);
    for (int* each : {&root_.considered, &root_.rounds, &root_.left, &root_.budget, &root_.next, &root_.turns}) archive(*each);
    archive(root_.turn);
    archive(root_.network_value);
    now_.pass(archive);
    archive(movers_);
    finished.pass(archive);
    archive(counts);
  }

 private:
  using Index = typename PriorTree<G>::Index;
  static constexpr int kMostRandom = 8;

  const G& g_;
  const SelfPlaySettings& settings_;
  PriorTree<G> tree_;
  Root<G> root_;
  State<G> state_{}, asked_{};
  Rng rng_;
  bool at_root_ = true, resigns_ = true;
  int decisions_ = 0;
  std::vector<Index> path_;
  Samples now_;                // of the match that is played; its values are what the search thought
  std::vector<Seat> movers_;

  // Goes on with the simulations until one asks for the network; false when they are spent.
  bool search() {
    while (!root_.done()) {
      asked_ = state_;
      path_.clear();
      root_.descend(g_, asked_, tree_, path_);
      if (asked_.pub.turn != kNobody) return true;
      tree_.learn(path_);
      root_.visited(tree_);
    }
    return false;
  }

  void decide() {
    const auto& chosen = root_.chosen(tree_);
    const Action action = chosen.action;
    if (root_.all.size() > 1) {  // what is forced teaches nothing
      const std::size_t cells = cells_of(g_), bytes = bytes_of(g_), rows = movers_.size();
      now_.seen.resize((rows + 1) * bytes);
      now_.policy.resize((rows + 1) * cells);
      Shape<G>::see(g_, state_.pub, &now_.seen[rows * bytes]);
      std::fill_n(&now_.policy[rows * cells], cells, 0.0f);
      now_.value.push_back(root_.improved(g_, state_.pub, tree_, &now_.policy[rows * cells]));
      movers_.push_back(state_.pub.turn);
      ++counts.decisions;
      if (resigns_ && root_.worth(tree_, chosen, 0) < settings_.resign) return finish(state_.pub.turn == 0 ? -1 : 1, true);
    }
    g_.apply(state_, action);
    ++decisions_;
    if (state_.pub.turn == kNobody) return finish(g_.returns(state_.pub)[0], false);
    ask_root();
  }

  void ask_root() {
    tree_.clear();
    at_root_ = true;
    asked_ = state_;
  }

  // result: for seat 0. Values of the search give way to what came later.
  void finish(double result, bool resigned) {
    ++counts.matches;
    counts.first_wins += result > 0;
    counts.resigned += resigned;
    auto later = static_cast<float>(result);  // TD(lambda), for seat 0
    for (std::size_t i = now_.value.size(); i-- > 0;) {
      const float side = movers_[i] == 0 ? 1.0f : -1.0f, thought = side * now_.value[i];
      now_.value[i] = side * (settings_.result_share * static_cast<float>(result) + (1 - settings_.result_share) * later);
      later = settings_.trace * later + (1 - settings_.trace) * thought;
    }
    finished.add(now_);
    now_.clear();
    movers_.clear();
    start();
  }

  void start() {
    do {
      g_.deal(state_, Rng{rng_.next()});
      int random = draw(settings_.random_actions);
      if (random == static_cast<int>(settings_.random_actions.size()) - 1) {
        random += static_cast<int>(rng_.below(static_cast<std::uint32_t>(kMostRandom - random + 1)));
      }
      for (Actions<G> actions; random > 0 && state_.pub.turn != kNobody; --random) {
        legal(g_, state_, actions);
        g_.apply(state_, actions[static_cast<int>(rng_.below(static_cast<std::uint32_t>(actions.size)))]);
      }
    } while (state_.pub.turn == kNobody);
    decisions_ = 0;
    resigns_ = rng_.unit() >= settings_.play_on;
    ask_root();
  }

  int draw(const std::array<float, 5>& shares) {
    double total = 0;
    for (float share : shares) total += share;
    double left = rng_.unit() * total;
    for (std::size_t i = 0; i < shares.size(); ++i) {
      if ((left -= shares[i]) < 0) return static_cast<int>(i);
    }
    return 0;
  }
};

template <Shaped G>
class SelfPlay {
 public:
  SelfPlay(const G& g, SelfPlaySettings settings, int matches, std::uint64_t seed, int threads)
      : g_(g), settings_(settings), workers_(threads) {
    Rng seeds{seed};
    for (int i = 0; i < matches; ++i) matches_.push_back(std::make_unique<SelfPlayMatch<G>>(g_, settings_, seeds.next()));
  }

  std::size_t size() const { return matches_.size(); }
  SelfPlaySettings& settings() { return settings_; }

  // out: [matches, planes, side, side].
  void see(std::int8_t* out) {
    each([&](std::size_t i) { matches_[i]->see(out + i * bytes_of(g_)); });
  }

  // logits: [matches, side²], values: [matches]; then the next positions go to `out`.
  void answer(const float* logits, const float* values, std::int8_t* out) {
    each([&](std::size_t i) {
      matches_[i]->answer(logits + i * cells_of(g_), values[i]);
      matches_[i]->see(out + i * bytes_of(g_));
    });
  }

  // What has been finished since the last time, in the order of the matches.
  Samples take() {
    Samples out;
    for (auto& match : matches_) {
      out.add(match->finished);
      match->finished.clear();
    }
    return out;
  }

  SelfPlayCounts counts() const {
    SelfPlayCounts sum;
    for (const auto& match : matches_) {
      sum.matches += match->counts.matches;
      sum.decisions += match->counts.decisions;
      sum.evaluations += match->counts.evaluations;
      sum.first_wins += match->counts.first_wins;
      sum.resigned += match->counts.resigned;
    }
    return sum;
  }

  template <class Archive>
  void pass(Archive& archive) {
    for (auto& match : matches_) match->pass(archive);
  }

 private:
  const G& g_;
  SelfPlaySettings settings_;
  std::vector<std::unique_ptr<SelfPlayMatch<G>>> matches_;
  Workers workers_;

  // Calls work(i) for every match, some at the same time: a thread that is done takes the next few.
  template <class Work>
  void each(const Work& work) {
    constexpr std::size_t few = 16;
    std::atomic<std::size_t> next{0};
    workers_.run([&](std::size_t) {
      for (std::size_t from; (from = next.fetch_add(few)) < size();) {
        for (std::size_t i = from; i < std::min(size(), from + few); ++i) work(i);
      }
    });
  }
};

}  // namespace ludoteca
