// The codecs study's message through C++'s protobuf; ../README.md says what a
// peer reads and answers.
#include <time.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "large.pb.h"
#include "payload.pb.h"

static long long clock_ns(clockid_t clock) {
  timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

// The compiler must believe that what [p] points to is needed.
static inline void keep(const void *p) { asm volatile("" : : "g"(p) : "memory"); }

[[noreturn]] static void fail(const std::string &why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  std::exit(1);
}

template <class M>
static inline void read(const std::string &bytes) {
  M p;
  if (!p.ParseFromString(bytes)) fail("it is not read");
  keep(&p);
}

template <class M>
static inline std::string write(const M &p) {
  std::string s = p.SerializeAsString();
  keep(s.data());
  return s;
}

// Into bytes that are kept, as programs do that send many messages.
template <class M>
static inline void write_into(const M &p, std::string &kept) {
  const size_t n = p.ByteSizeLong();
  if (kept.size() < n) kept.resize(n);
  if (!p.SerializeToArray(&kept[0], static_cast<int>(n))) fail("it is not written");
  keep(kept.data());
}

template <class M>
static int serve(const std::string &bytes) {
  M value;
  if (!value.ParseFromString(bytes)) fail("it is not read");
  if (value.SerializeAsString() != bytes) fail("what was read is written otherwise");
  std::cout << "ready " << bytes.size() << std::endl;
  std::string test, kept;
  long long runs;
  while (std::cin >> test >> runs) {
    const long long cpu = clock_ns(CLOCK_PROCESS_CPUTIME_ID), wall = clock_ns(CLOCK_MONOTONIC);
    if (test == "read") {
      for (long long i = 0; i < runs; i++) read<M>(bytes);
    } else if (test == "write") {
      for (long long i = 0; i < runs; i++) write(value);
    } else if (test == "write-into") {
      for (long long i = 0; i < runs; i++) write_into(value, kept);
    } else if (test == "rw") {
      for (long long i = 0; i < runs; i++) read<M>(write(value));
    } else {
      fail("no test " + test);
    }
    std::cout << clock_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu << ' ' << clock_ns(CLOCK_MONOTONIC) - wall
              << std::endl;
  }
  return 0;
}

int main(int argc, char **argv) {
  const std::string format = argc == 3 ? argv[1] : "";
  if (argc != 3) fail("usage: peer FORMAT FILE");
  std::ifstream file(argv[2], std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  if (format == "protobuf") return serve<weir::lab::Payload>(bytes);
  if (format == "numbers") return serve<weir::lab::large::Numbers>(bytes);
  if (format == "texts") return serve<weir::lab::large::Texts>(bytes);
  if (format == "nodes") return serve<weir::lab::large::Nodes>(bytes);
  fail("no format " + format);
}
