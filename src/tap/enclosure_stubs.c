/* A program in namespaces of its own. The process that clone(2) makes is their
   init: it makes the TAP, starts the program, reaps orphans, and ends with it, so
   that the kernel ends all that the program has left. It runs no OCaml, and calls
   only what is safe in the copy of one thread of many. */

#define _GNU_SOURCE
#define CAML_NAME_SPACE
#define CAML_INTERNALS /* the numbers of signals */
#include <caml/alloc.h>
#include <caml/memory.h>
#include <caml/mlvalues.h>
#include <caml/signals.h>
#include <caml/unixsupport.h>
#include <errno.h>
#include <string.h>

#ifdef __linux__
#include <fcntl.h>
#include <limits.h>
#include <linux/if_tun.h>
#include <linux/in6.h>
#include <linux/ipv6_route.h>
#include <linux/virtio_net.h>
#include <net/if.h>
#include <net/route.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* What the init tells the parent. */
enum kind { READY, SETUP_FAILED, EXEC_FAILED, ENDED };
struct message {
  int kind;
  int value;     /* errno; the status of waitpid(2) */
  char step[32]; /* of the setup, if it failed */
};

struct settings {
  char **argv;
  char resolver[PATH_MAX]; /* a file in place of /etc/resolv.conf; empty: none */
  int control;
  int parent_end;
  int user_namespace, pid_namespace;
  unsigned uid, gid;
  int mtu, offload;
  int prefix4, prefix6; /* -1: no such address */
  unsigned char address4[4], gateway4[4], address6[16], gateway6[16];
  pid_t parent;
};

static struct settings s;
static const char device[] = "weir0";

/* -- in the child -------------------------------------------------------- */

static void tell(int kind, int value, const char *step, int fd) {
  struct message m;
  struct iovec part = {&m, sizeof m};
  char control[CMSG_SPACE(sizeof(int))];
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  memset(&m, 0, sizeof m);
  m.kind = kind;
  m.value = value;
  strncpy(m.step, step, sizeof m.step - 1);
  if (fd >= 0) {
    memset(control, 0, sizeof control);
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    struct cmsghdr *c = CMSG_FIRSTHDR(&message);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(c), &fd, sizeof fd);
  }
  while (sendmsg(s.control, &message, MSG_NOSIGNAL) < 0 && errno == EINTR) {}
}

static void fail(const char *step) {
  tell(SETUP_FAILED, errno, step, -1);
  _exit(1);
}

static int write_file(const char *path, const char *text) {
  int error, fd = open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return -1;
  error = write(fd, text, strlen(text)) < 0 ? errno : 0;
  close(fd);
  errno = error;
  return error ? -1 : 0;
}

/* The program keeps the user's numbers. */
static void map_user(void) {
  char line[64];
  if (write_file("/proc/self/setgroups", "deny") < 0 && errno != ENOENT) fail("setgroups");
  snprintf(line, sizeof line, "%u %u 1", s.uid, s.uid);
  if (write_file("/proc/self/uid_map", line) < 0) fail("uid_map");
  snprintf(line, sizeof line, "%u %u 1", s.gid, s.gid);
  if (write_file("/proc/self/gid_map", line) < 0) fail("gid_map");
}

static void mount_own(void) {
  if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0) fail("mount /");
  if (s.pid_namespace &&
      mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) < 0)
    fail("mount /proc");
  /* The program sees its own interfaces there, where the system allows it. */
  (void)!mount("sysfs", "/sys", "sysfs", MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY, NULL);
  if (s.resolver[0] && mount(s.resolver, "/etc/resolv.conf", NULL, MS_BIND, NULL) < 0 &&
      errno != ENOENT)
    fail("mount /etc/resolv.conf");
}

/* Settings that some systems lack or keep closed. */
static void sysctl(const char *path, const char *text) { (void)write_file(path, text); }

static struct ifreq named(const char *name) {
  struct ifreq r;
  memset(&r, 0, sizeof r);
  strncpy(r.ifr_name, name, IFNAMSIZ - 1);
  return r;
}

static void bring_up(int fd, const char *name) {
  struct ifreq r = named(name);
  if (ioctl(fd, SIOCGIFFLAGS, &r) < 0) fail("SIOCGIFFLAGS");
  r.ifr_flags |= IFF_UP;
  if (ioctl(fd, SIOCSIFFLAGS, &r) < 0) fail("SIOCSIFFLAGS");
}

static struct sockaddr inet(const void *octets) {
  struct sockaddr_in a;
  struct sockaddr result;
  memset(&a, 0, sizeof a);
  a.sin_family = AF_INET;
  memcpy(&a.sin_addr, octets, 4);
  memcpy(&result, &a, sizeof result);
  return result;
}

static void address4(int fd) {
  struct ifreq r = named(device);
  struct rtentry route;
  uint32_t mask = s.prefix4 == 0 ? 0 : htonl(~(uint32_t)0 << (32 - s.prefix4)), none = 0;
  r.ifr_addr = inet(s.address4);
  if (ioctl(fd, SIOCSIFADDR, &r) < 0) fail("SIOCSIFADDR");
  r.ifr_netmask = inet(&mask);
  if (ioctl(fd, SIOCSIFNETMASK, &r) < 0) fail("SIOCSIFNETMASK");
  memset(&route, 0, sizeof route);
  route.rt_dst = inet(&none);
  route.rt_genmask = inet(&none);
  route.rt_gateway = inet(s.gateway4);
  route.rt_flags = RTF_UP | RTF_GATEWAY;
  if (ioctl(fd, SIOCADDRT, &route) < 0) fail("SIOCADDRT");
}

struct address6_request {
  unsigned char address[16];
  uint32_t prefix;
  int index;
};

/* A kernel without IPv6 has none. */
static void address6(int index) {
  struct address6_request r;
  struct in6_rtmsg route;
  int fd = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return;
  memcpy(r.address, s.address6, 16);
  r.prefix = (uint32_t)s.prefix6;
  r.index = index;
  if (ioctl(fd, SIOCSIFADDR, &r) < 0) {
    if (errno == ENODEV || errno == EACCES || errno == EPERM || errno == EADDRNOTAVAIL) {
      close(fd);
      return;
    }
    fail("SIOCSIFADDR (IPv6)");
  }
  memset(&route, 0, sizeof route);
  memcpy(&route.rtmsg_gateway, s.gateway6, 16);
  route.rtmsg_metric = 1;
  route.rtmsg_flags = RTF_UP | RTF_GATEWAY;
  route.rtmsg_ifindex = index;
  if (ioctl(fd, SIOCADDRT, &route) < 0) fail("SIOCADDRT (IPv6)");
  close(fd);
}

static int make_device(void) {
  struct ifreq r = named(device);
  int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC), control;
  if (fd < 0) fail("open /dev/net/tun");
  r.ifr_flags = IFF_TAP | IFF_NO_PI;
  if (s.offload) r.ifr_flags |= IFF_VNET_HDR;
  if (ioctl(fd, TUNSETIFF, &r) < 0) fail("TUNSETIFF");
  if (s.offload) {
    int size = sizeof(struct virtio_net_hdr);
    if (ioctl(fd, TUNSETVNETHDRSZ, &size) < 0) fail("TUNSETVNETHDRSZ");
    if (ioctl(fd, TUNSETOFFLOAD, TUN_F_CSUM | TUN_F_TSO4 | TUN_F_TSO6) < 0) fail("TUNSETOFFLOAD");
  }
  control = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (control < 0) fail("socket");
  bring_up(control, "lo");
  r = named(device);
  r.ifr_mtu = s.mtu;
  if (ioctl(control, SIOCSIFMTU, &r) < 0) fail("SIOCSIFMTU");
  /* Nobody else has these addresses: they need no test before they are used. */
  sysctl("/proc/sys/net/ipv6/conf/weir0/accept_dad", "0");
  sysctl("/proc/sys/net/ipv6/conf/weir0/accept_ra", "0");
  /* Both must be groups that the user namespace has. */
  char groups[32];
  if (s.user_namespace) snprintf(groups, sizeof groups, "%u %u", s.gid, s.gid);
  else snprintf(groups, sizeof groups, "0 2147483647");
  sysctl("/proc/sys/net/ipv4/ping_group_range", groups);
  sysctl("/proc/sys/net/ipv4/tcp_congestion_control", "reno");
  bring_up(control, device);
  if (s.prefix4 >= 0) address4(control);
  r = named(device);
  if (ioctl(control, SIOCGIFINDEX, &r) < 0) fail("SIOCGIFINDEX");
  if (s.prefix6 >= 0) address6(r.ifr_ifindex);
  close(control);
  return fd;
}

/* Signals that are for the program, not for its init. */
static const int passed[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP, SIGTTIN, SIGTTOU};
enum { passed_count = sizeof passed / sizeof passed[0] };

static pid_t start_program(const sigset_t *mask, const struct sigaction *actions) {
  int pipe_ends[2], error = 0;
  pid_t program;
  if (pipe2(pipe_ends, O_CLOEXEC) < 0) fail("pipe2");
  program = fork();
  if (program < 0) fail("fork");
  if (program == 0) {
    for (int i = 0; i < passed_count; i++) sigaction(passed[i], &actions[i], NULL);
    sigprocmask(SIG_SETMASK, mask, NULL);
    close(s.control);
    execvp(s.argv[0], s.argv);
    error = errno;
    (void)!write(pipe_ends[1], &error, sizeof error);
    _exit(127);
  }
  close(pipe_ends[1]);
  while (read(pipe_ends[0], &error, sizeof error) < 0 && errno == EINTR) {}
  close(pipe_ends[0]);
  if (error) {
    tell(EXEC_FAILED, error, "", -1);
    _exit(127);
  }
  return program;
}

/* Without a process namespace, orphans are this process's children by
   PR_SET_CHILD_SUBREAPER. */
static void end_orphans(void) {
  char text[4096];
  for (;;) {
    int fd = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    if (fd >= 0) close(fd);
    if (n <= 0) return;
    text[n] = 0;
    for (char *p = text; *p;) {
      char *end;
      long pid = strtol(p, &end, 10);
      if (end == p) break;
      if (pid > 1) kill((pid_t)pid, SIGKILL);
      p = end;
    }
    while (waitpid(-1, NULL, 0) < 0 && errno == EINTR) {}
  }
}

/* The network stays until the parent has let go of it, so that what the program
   wrote last can leave. */
static void finish(int status) {
  unsigned char byte;
  ssize_t n;
  if (s.pid_namespace) {
    kill(-1, SIGKILL);
    while (waitpid(-1, NULL, 0) > 0 || errno == EINTR) {}
  } else end_orphans();
  tell(ENDED, status, "", -1);
  while ((n = recv(s.control, &byte, 1, 0)) > 0 || (n < 0 && errno == EINTR)) {}
  _exit(0);
}

/* 0: go on; else the parent is gone. */
static int obey(pid_t program) {
  unsigned char signal;
  ssize_t n = recv(s.control, &signal, 1, 0);
  if (n < 0) return errno == EINTR || errno == EAGAIN ? 0 : 1;
  if (n == 0) return 1;
  if (program > 0) kill(program, signal);
  return 0;
}

static void reap(pid_t program) {
  int status;
  pid_t pid;
  while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
    if (pid == program) finish(status);
}

static void init(void) {
  sigset_t mask, child;
  struct sigaction actions[passed_count], ignore;
  struct pollfd polled[2];
  struct signalfd_siginfo info;
  unsigned char go;
  pid_t program;
  /* Without a process namespace the program would outlive this process: the end of the socket
     tells that the parent is gone. */
  if (s.pid_namespace) prctl(PR_SET_PDEATHSIG, SIGKILL);
  close(s.parent_end);
  if (s.user_namespace) map_user();
  mount_own();
  int fd = make_device();
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  if (sigprocmask(SIG_BLOCK, &child, &mask) < 0) fail("sigprocmask");
  polled[0].fd = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
  if (polled[0].fd < 0) fail("signalfd");
  memset(&ignore, 0, sizeof ignore);
  ignore.sa_handler = SIG_IGN;
  for (int i = 0; i < passed_count; i++) {
    sigaction(passed[i], &ignore, &actions[i]);
    if (actions[i].sa_handler != SIG_IGN) {
      memset(&actions[i], 0, sizeof actions[i]);
      actions[i].sa_handler = SIG_DFL;
    }
  }
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  tell(READY, 0, "", fd);
  close(fd);
  ssize_t n;
  while ((n = recv(s.control, &go, 1, 0)) < 0 && errno == EINTR) {}
  if (n != 1 || go != 0) _exit(0);
  program = start_program(&mask, actions);
  polled[1].fd = s.control;
  polled[0].events = polled[1].events = POLLIN;
  for (;;) {
    if (poll(polled, 2, -1) < 0 && errno != EINTR) finish(SIGKILL);
    if (polled[0].revents) {
      while (read(polled[0].fd, &info, sizeof info) > 0) {}
      reap(program);
    }
    if (polled[1].revents && obey(program)) {
      kill(program, SIGKILL);
      finish(SIGKILL);
    }
  }
}

/* -- in the parent ------------------------------------------------------- */

static char **copy_arguments(value arguments) {
  mlsize_t n = Wosize_val(arguments);
  char **argv = calloc(n + 1, sizeof *argv);
  if (argv == NULL) return NULL;
  for (mlsize_t i = 0; i < n; i++) {
    argv[i] = strdup(String_val(Field(arguments, i)));
    if (argv[i] == NULL) return NULL;
  }
  return argv;
}

static void free_arguments(char **argv) {
  if (argv == NULL) return;
  for (char **p = argv; *p; p++) free(*p);
  free(argv);
}

/* The number of bytes received; [fd] is a descriptor that came with them, or -1. */
static ssize_t hear(int control, struct message *m, int *fd, int flags) {
  struct iovec part = {m, sizeof *m};
  char room[CMSG_SPACE(sizeof(int))];
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
  ssize_t n;
  *fd = -1;
  while ((n = recvmsg(control, &message, MSG_CMSG_CLOEXEC | flags)) < 0 && errno == EINTR) {}
  struct cmsghdr *c = n > 0 ? CMSG_FIRSTHDR(&message) : NULL;
  if (c != NULL && c->cmsg_type == SCM_RIGHTS) memcpy(fd, CMSG_DATA(c), sizeof *fd);
  return n;
}

static void octets(unsigned char *to, int *prefix, value address, value gateway, unsigned char *g) {
  *prefix = -1;
  if (Is_some(address)) {
    value pair = Some_val(address);
    memcpy(to, String_val(Field(pair, 0)), caml_string_length(Field(pair, 0)));
    memcpy(g, String_val(gateway), caml_string_length(gateway));
    *prefix = Int_val(Field(pair, 1));
  }
}

/* (user namespace, process namespace, offload, mtu, resolver, (v4, prefix) option, v4 gateway,
   (v6, prefix) option, v6 gateway), arguments: (pid, control, device). OCaml checks lengths. */
CAMLprim value weir_enclosure_start(value how, value arguments) {
  CAMLparam2(how, arguments);
  CAMLlocal2(step, result);
  struct message m;
  int ends[2], fd, error = 0;
  pid_t pid;
  memset(&s, 0, sizeof s);
  s.user_namespace = Bool_val(Field(how, 0));
  s.pid_namespace = Bool_val(Field(how, 1));
  s.offload = Bool_val(Field(how, 2));
  s.mtu = Int_val(Field(how, 3));
  strncpy(s.resolver, String_val(Field(how, 4)), sizeof s.resolver - 1);
  octets(s.address4, &s.prefix4, Field(how, 5), Field(how, 6), s.gateway4);
  octets(s.address6, &s.prefix6, Field(how, 7), Field(how, 8), s.gateway6);
  s.uid = geteuid();
  s.gid = getegid();
  s.argv = copy_arguments(arguments);
  if (s.argv == NULL) caml_unix_error(ENOMEM, "malloc", Nothing);
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0) {
    error = errno;
    free_arguments(s.argv);
    caml_unix_error(error, "socketpair", Nothing);
  }
  s.control = ends[1];
  s.parent_end = ends[0];
  int flags = CLONE_NEWNET | CLONE_NEWNS | (s.user_namespace ? CLONE_NEWUSER : 0) |
              (s.pid_namespace ? CLONE_NEWPID : 0) | SIGCHLD;
  pid = (pid_t)syscall(SYS_clone, flags, NULL, NULL, NULL, NULL);
  if (pid == 0) {
    init();
    _exit(1);
  }
  error = pid < 0 ? errno : 0;
  free_arguments(s.argv);
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    caml_unix_error(error, "clone", Nothing);
  }
  ssize_t n = hear(ends[0], &m, &fd, 0);
  if (n != sizeof m || m.kind != READY) {
    error = n == sizeof m ? m.value : ECHILD;
    m.step[sizeof m.step - 1] = 0;
    step = caml_copy_string(n == sizeof m ? m.step : "");
    close(ends[0]);
    if (fd >= 0) close(fd);
    kill(pid, SIGKILL);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {}
    caml_unix_error(error, "enclosure", step);
  }
  result = caml_alloc_tuple(3);
  Store_field(result, 0, Val_int(pid));
  Store_field(result, 1, Val_int(ends[0]));
  Store_field(result, 2, Val_int(fd));
  CAMLreturn(result);
}

/* A byte for the init: 0 starts the program, others are signals. False if it has ended. */
CAMLprim value weir_enclosure_tell(value control, value number) {
  unsigned char byte = (unsigned char)Int_val(number);
  ssize_t n;
  while ((n = send(Int_val(control), &byte, 1, MSG_NOSIGNAL)) < 0 && errno == EINTR) {}
  return Val_bool(n == 1);
}

/* What the init has told: -1 nothing yet, else kind * 65,536 + value; an init that was killed says
   nothing more, which is kind 4. */
CAMLprim value weir_enclosure_hear(value control) {
  struct message m;
  int fd;
  ssize_t n = hear(Int_val(control), &m, &fd, MSG_DONTWAIT);
  if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return Val_int(-1);
  if (n != sizeof m) return Val_int(4 << 16);
  return Val_int((m.kind << 16) | (m.value & 0xffff));
}

/* As many descriptors as this process may have, of itself. */
CAMLprim value weir_enclosure_more_descriptors(value unit) {
  struct rlimit limit;
  (void)unit;
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    limit.rlim_cur = limit.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &limit);
  }
  return Val_unit;
}

/* A signal's number in this system, of OCaml's; and the reverse. */
CAMLprim value weir_enclosure_number(value signal) {
  return Val_int(caml_convert_signal_number(Int_val(signal)));
}

CAMLprim value weir_enclosure_signal(value number) {
  return Val_int(caml_rev_convert_signal_number(Int_val(number)));
}

/* Waits for one of the signals, which are blocked: which it is, and whether a process sent it. */
CAMLprim value weir_enclosure_await_signal(value signals) {
  CAMLparam1(signals);
  CAMLlocal1(result);
  sigset_t set;
  siginfo_t info;
  int n;
  sigemptyset(&set);
  for (; signals != Val_emptylist; signals = Field(signals, 1))
    sigaddset(&set, caml_convert_signal_number(Int_val(Field(signals, 0))));
  do {
    caml_enter_blocking_section();
    n = sigwaitinfo(&set, &info);
    caml_leave_blocking_section();
  } while (n < 0 && errno == EINTR);
  result = caml_alloc_tuple(2);
  Store_field(result, 0, Val_int(caml_rev_convert_signal_number(n)));
  Store_field(result, 1, Val_bool(info.si_code <= 0));
  CAMLreturn(result);
}

#else /* not Linux */

static value unsupported(void) {
  caml_unix_error(ENOSYS, "clone", Nothing);
  return Val_unit;
}

CAMLprim value weir_enclosure_start(value h, value a) { (void)h, (void)a; return unsupported(); }
CAMLprim value weir_enclosure_tell(value c, value n) { (void)c, (void)n; return unsupported(); }
CAMLprim value weir_enclosure_hear(value c) { (void)c; return unsupported(); }
CAMLprim value weir_enclosure_more_descriptors(value u) { (void)u; return unsupported(); }
CAMLprim value weir_enclosure_number(value s) { (void)s; return unsupported(); }
CAMLprim value weir_enclosure_signal(value n) { (void)n; return unsupported(); }
CAMLprim value weir_enclosure_await_signal(value s) { (void)s; return unsupported(); }
#endif
