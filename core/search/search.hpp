// A search that runs once, on the calling thread or its own, and can be watched and stopped from any thread.
#pragma once

#include <exception>
#include <functional>
#include <stdexcept>
#include <thread>

#include "search/choice.hpp"
#include "search/limits.hpp"

namespace ludoteca {

// Owns the limits, the shared choice and, if it is started, the thread of one search.
class Search {
 public:
  using Work = std::function<void(Limits&, SharedChoice&)>;

  // work: searches within the limits and keeps the choice up to date; it owns everything it uses. first: the choice
  // before there is a result.
  Search(Work work, Action first, std::optional<std::uint64_t> nodes, std::optional<double> seconds)
      : work_(std::move(work)), limits_(nodes, seconds), shared_(first) {}
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  ~Search() {
    stop();
    if (thread_.joinable()) thread_.join();
  }

  // Searches on the calling thread, to the end.
  Choice run() {
    begin(false);
    search();
    if (error_) std::rethrow_exception(error_);
    return choice();
  }

  // Searches on a new thread.
  void start() {
    begin(true);
    try {
      thread_ = std::thread([this] { search(); });
    } catch (...) {
      shared_.end();  // no thread was started, so nothing is left to wait for
      throw;
    }
  }

  // Waits at most so many seconds for a better choice than at the last wait, or for the end. Returns whether the search
  // has ended. Rethrows an exception of the search.
  bool wait(double seconds) {
    if (!begun_) throw std::runtime_error("this search has not been started");
    constexpr double longest = 1e6;
    if (!shared_.wait(std::chrono::duration<double>(seconds < longest ? seconds : longest))) return false;
    if (error_) std::rethrow_exception(error_);
    return true;
  }

  Choice choice() const {
    Choice out = shared_.read();
    out.nodes = limits_.nodes_seen();
    return out;
  }

  // Ends the search soon, with the best found so far; a search that has not begun ends as soon as it begins.
  void stop() noexcept { limits_.stop(); }

 private:
  Work work_;
  Limits limits_;
  SharedChoice shared_;
  std::atomic<bool> begun_{false};
  std::exception_ptr error_;  // written before the end, read after it
  std::thread thread_;

  void begin(bool stoppable) {
    if (begun_.exchange(true)) throw std::runtime_error("this search has been started already: a search runs only once");
    limits_.begin(stoppable);
  }

  void search() noexcept {
    try {
      work_(limits_, shared_);
    } catch (...) {
      error_ = std::current_exception();
    }
    limits_.show_nodes();
    shared_.end();
  }
};

}  // namespace ludoteca
