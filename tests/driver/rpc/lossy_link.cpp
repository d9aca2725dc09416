// A wire between two network namespaces that delays packets and loses some: what tc's netem does, for kernels without
// it. SIGUSR1 cuts the wire, SIGUSR2 mends it, SIGTERM ends the program. Needs root and /dev/net/tun.
//
//   lossy_link NAMESPACE NAMESPACE DELAY_MS LOSS_PERCENT MBIT_PER_SECOND
//
// Makes a device tun0 in each namespace; addresses are the caller's to give.
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <random>
#include <string>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

volatile std::sig_atomic_t cut = 0;

[[noreturn]] void die(const std::string& what) {
  std::perror(what.c_str());
  std::exit(2);
}

int open_tun(const std::string& name_space) {
  const int fd = ::open(("/run/netns/" + name_space).c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0 || ::setns(fd, CLONE_NEWNET) != 0) die(name_space);
  ::close(fd);
  const int tun = ::open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
  ifreq request{};
  request.ifr_flags = IFF_TUN | IFF_NO_PI;
  std::strncpy(request.ifr_name, "tun0", IFNAMSIZ - 1);
  if (tun < 0 || ::ioctl(tun, TUNSETIFF, &request) != 0) die("tun0");
  return tun;
}

// One direction: packets with the time at which they come out.
struct Direction {
  int from, to;
  std::deque<std::pair<Clock::time_point, std::vector<char>>> packets;
  Clock::time_point free_at{};  // when the wire has sent what it has
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) {
    std::fprintf(stderr, "usage: lossy_link NAMESPACE NAMESPACE DELAY_MS LOSS_PERCENT MBIT_PER_SECOND\n");
    return 2;
  }
  std::signal(SIGUSR1, [](int) { cut = 1; });
  std::signal(SIGUSR2, [](int) { cut = 0; });
  const auto delay =
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double, std::milli>(std::atof(argv[3])));
  const double loss = std::atof(argv[4]) / 100, bits_per_second = std::atof(argv[5]) * 1e6;
  const int a = open_tun(argv[1]), b = open_tun(argv[2]);
  std::array<Direction, 2> directions = {Direction{a, b, {}, {}}, Direction{b, a, {}, {}}};
  std::mt19937_64 random(1);
  std::bernoulli_distribution lost(loss);
  constexpr size_t kQueue = 1000;
  std::puts("ready");
  std::fflush(stdout);
  for (;;) {
    std::array<pollfd, 2> fds = {pollfd{a, POLLIN, 0}, pollfd{b, POLLIN, 0}};
    ::poll(fds.data(), fds.size(), 1);
    const auto now = Clock::now();
    for (Direction& d : directions) {
      std::array<char, 65536> packet{};
      for (ssize_t size = 0; (size = ::read(d.from, packet.data(), packet.size())) > 0;) {
        if (cut != 0 || lost(random) || d.packets.size() >= kQueue) continue;
        const auto sending = std::chrono::duration<double>(static_cast<double>(size) * 8 / bits_per_second);
        d.free_at = std::max(d.free_at, now) + std::chrono::duration_cast<Clock::duration>(sending);
        d.packets.emplace_back(d.free_at + delay, std::vector<char>(packet.data(), packet.data() + size));
      }
      for (; !d.packets.empty() && d.packets.front().first <= now; d.packets.pop_front()) {
        const auto& bytes = d.packets.front().second;
        if (cut == 0 && ::write(d.to, bytes.data(), bytes.size()) < 0) continue;  // as lost as any other
      }
    }
  }
}
