#include "fuzz/driver.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <exception>
#include <fstream>

#include "scree/core/hash.hpp"
#include "scree/core/random.hpp"

namespace scree::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kBatch = 5000;  ///< inputs a child reads
constexpr std::size_t kLongest = 200000;

/// What a child tells its parent while it works.
struct Shared {
  std::uint64_t number, read, refused;
  char complaint[200];
};

const char* const kTokens[] = {"nan",
                               "inf",
                               "-inf",
                               "1e308",
                               "-1e308",
                               "1e400",
                               "1e-320",
                               "0",
                               "-1",
                               "-0",
                               "1e9",
                               "99999999999999999999",
                               "2147483648",
                               "0x10",
                               "\"",
                               "'",
                               "[",
                               "]",
                               "{",
                               "}",
                               "=",
                               ".",
                               "\n",
                               "\r\n",
                               "\t",
                               ",",
                               ";",
                               "#",
                               "\0",
                               "\xff\xfe",
                               "\xef\xbb\xbf",
                               "true",
                               "1979-05-27",
                               "[[robot]]\n",
                               "..",
                               "/dev/zero",
                               "/",
                               "../"};

std::string damaged(std::string text, const Kind& kind, RandomStream& random) {
  for (std::uint64_t n = 1 + random.below(6); n > 0; --n) {
    const std::size_t size = text.size(), at = random.below(size + 1);
    switch (random.below(10)) {
      case 0:
        if (at < size) text[at] = static_cast<char>(random.below(256));
        break;
      case 1:
        if (at < size) text[at] = static_cast<char>(text[at] ^ (1 << random.below(8)));
        break;
      case 2:
        text.erase(at, random.below(64));
        break;
      case 3:
        text.insert(at, kTokens[random.below(std::size(kTokens))]);
        break;
      case 4:
        text.insert(at, text.substr(random.below(size + 1), random.below(200)));
        break;
      case 5:
        if (random.below(4) == 0) text.resize(at);
        break;
      case 6: {  // a piece of another example
        const std::string& other = kind.seeds[random.below(kind.seeds.size())];
        text.insert(at, other.substr(random.below(other.size() + 1), random.below(400)));
        break;
      }
      case 7: {  // a number becomes another
        const std::size_t digit = text.find_first_of("0123456789", at);
        if (digit == std::string::npos) break;
        const std::size_t end = std::min(text.find_first_not_of("0123456789.eE+-", digit), text.size());
        text.replace(digit, end - digit, kTokens[random.below(14)]);
        break;
      }
      case 8:  // bytes of a header
        if (size > 0) {
          const std::size_t place = random.below(std::min<std::size_t>(size, 64));
          text[place] = static_cast<char>(random.below(2) ? 0xff : random.below(256));
        }
        break;
      case 9:
        text.insert(at,
                    std::string(1 + random.below(300), text.empty() ? 'x' : text[random.below(text.size())]));
        break;
    }
    if (text.size() > kLongest) text.resize(kLongest);
  }
  return text;
}

/// The child: reads inputs from `first` on, telling where it is.
void work(const Kind& kind, const Settings& s, std::uint64_t first, std::uint64_t last,
          const fs::path& folder, Shared& shared) {
#ifndef __SANITIZE_ADDRESS__
  // Sizes that a damaged file asks for are refused before they are had. (The sanitizer has its own limit.)
  const rlimit memory{s.memory_mb << 20, s.memory_mb << 20};
  ::setrlimit(RLIMIT_AS, &memory);
#endif
  for (std::uint64_t n = first; n < last; ++n) {
    shared.number = n;
    const fs::path file = folder / kind.file;
    {
      std::ofstream out(file, std::ios::binary | std::ios::trunc);
      const std::string bytes = input(kind, s.seed, n);
      out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    }
    // Its own time, whatever else the machine does; and a clock for what waits for ever.
    const itimerval patience{{0, 0}, {static_cast<time_t>(s.seconds), 0}}, none{};
    ::setitimer(ITIMER_PROF, &patience, nullptr);
    ::alarm(static_cast<unsigned>(6 * s.seconds));
    try {
      kind.read(file);
      ++shared.read;
    } catch (const std::exception& error) {
      ++shared.refused;
      if (std::strchr(error.what(), '\n') != nullptr || *error.what() == '\0') {
        std::strncpy(shared.complaint, "the refusal is not one line", sizeof shared.complaint - 1);
        ::_exit(3);
      }
    }
    ::alarm(0);
    ::setitimer(ITIMER_PROF, &none, nullptr);
    rusage use{};
    ::getrusage(RUSAGE_SELF, &use);
    if (static_cast<std::uint64_t>(use.ru_maxrss) / 1024 > s.memory_mb) {
      std::strncpy(shared.complaint, "more memory than allowed", sizeof shared.complaint - 1);
      ::_exit(4);
    }
  }
  ::_exit(0);
}

std::string fault_text(int status, const Shared& shared) {
  if (shared.complaint[0] != '\0') return shared.complaint;
  if (WIFSIGNALED(status)) {
    if (WTERMSIG(status) == SIGALRM) return "hangs";
    return WTERMSIG(status) == SIGPROF ? "too slow" : fmt::format("signal {}", WTERMSIG(status));
  }
  return fmt::format("exit status {}", WEXITSTATUS(status));
}

void keep_input(const Kind& kind, const Settings& s, std::uint64_t number) {
  if (s.keep.empty()) return;
  const std::string bytes = input(kind, s.seed, number);
  const fs::path folder = s.keep / kind.name;
  fs::create_directories(folder);
  std::ofstream(folder / hash_text(hash_bytes(bytes.data(), bytes.size())), std::ios::binary) << bytes;
}

}  // namespace

std::string input(const Kind& kind, std::uint64_t seed, std::uint64_t number) {
  if (number < kind.seeds.size()) return kind.seeds[number];
  RandomStream random(seed, number, "fuzz " + kind.name);
  return damaged(kind.seeds[random.below(kind.seeds.size())], kind, random);
}

Result run(const Kind& kind, const Settings& s) {
  auto* shared = static_cast<Shared*>(
      ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  if (shared == MAP_FAILED) throw std::runtime_error("no shared memory");
  std::string name =
      (fs::exists("/dev/shm") ? fs::path("/dev/shm") : fs::temp_directory_path()) / "scree_fuzz_XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  Result result;
  for (std::uint64_t first = 0; first < s.inputs;) {
    const std::uint64_t last = std::min(first + kBatch, s.inputs);
    *shared = {};
    const pid_t child = ::fork();
    if (child < 0) throw std::runtime_error("no child process");
    if (child == 0) work(kind, s, first, last, name, *shared);
    int status = 0;
    ::waitpid(child, &status, 0);
    result.read += shared->read;
    result.refused += shared->refused;
    if (status == 0) {
      first = last;
      continue;
    }
    ++result.faults;
    result.complaints.push_back(fmt::format("{} input {} of seed {}: {}", kind.name, shared->number, s.seed,
                                            fault_text(status, *shared)));
    keep_input(kind, s, shared->number);
    first = shared->number + 1;
    if (result.faults >= 50) break;
  }
  result.inputs = result.read + result.refused + result.faults;
  fs::remove_all(name);
  ::munmap(shared, sizeof(Shared));
  return result;
}

}  // namespace scree::fuzz
