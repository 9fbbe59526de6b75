#include <errno.h>
#include <net/if.h>
#include <string.h>
#include <sys/ioctl.h>

#include <linux/ethtool.h>
#include <linux/sockios.h>

#include <caml/mlvalues.h>

/* set fd name command value: 0, or what errno says. */
value weir_lab_ethtool_set(value fd, value name, value command, value v) {
  struct ifreq request;
  struct ethtool_value setting = {.cmd = Int_val(command), .data = Int_val(v)};
  memset(&request, 0, sizeof request);
  strncpy(request.ifr_name, String_val(name), IFNAMSIZ - 1);
  request.ifr_data = (void *)&setting;
  return Val_int(ioctl(Int_val(fd), SIOCETHTOOL, &request) < 0 ? errno : 0);
}
