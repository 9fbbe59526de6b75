/* lwIP as large as the others: no threads, windows and buffers of 1 MB. */

#define NO_SYS 1
#define SYS_LIGHTWEIGHT_PROT 0
#define LWIP_NETCONN 0
#define LWIP_SOCKET 0
#define LWIP_UDP 0
#define LWIP_ICMP 1
#define LWIP_STATS 0
#define LWIP_TIMERS 1

#define MEM_ALIGNMENT 8
#define MEM_SIZE (64 << 20)
#define PBUF_POOL_SIZE 2048
#define PBUF_POOL_BUFSIZE 1600
#define MEMP_NUM_PBUF 8192
#define MEMP_NUM_TCP_PCB 1024
#define MEMP_NUM_TCP_SEG 8192

#define TCP_MSS 1460
#define LWIP_WND_SCALE 1
#define TCP_RCV_SCALE 7
#define TCP_WND (1 << 20)
#define TCP_SND_BUF (1 << 20)
#define TCP_SND_QUEUELEN 4096
#define TCP_SNDLOWAT 16384
#define LWIP_CHKSUM_ALGORITHM 3
