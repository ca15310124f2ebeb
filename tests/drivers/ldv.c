/* In the shape of generated harnesses: functions without a body, values from outside, models of locks by functions, weak functions. */
#include "kernel.h"
struct mutex { int held; };
struct net_device { const char *name; unsigned long state; const struct net_device_ops *netdev_ops; void *priv; };
struct sk_buff { struct sk_buff *next; unsigned int len; };
struct net_device_ops { int (*ndo_open)(struct net_device *); int (*ndo_stop)(struct net_device *); int (*ndo_start_xmit)(struct sk_buff *, struct net_device *); };
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
typedef union { char size[40]; long align; } pthread_mutex_t;
extern int pthread_mutex_lock(pthread_mutex_t *);
extern int pthread_mutex_unlock(pthread_mutex_t *);
pthread_mutex_t ldv_mutex;
int ldv_state, registered, sent, on;
static inline void ldv_spin_lock(void) { pthread_mutex_lock(&ldv_mutex); }
static inline void ldv_spin_unlock(void) { pthread_mutex_unlock(&ldv_mutex); }
__attribute__((weak)) int arch_setup(struct net_device *dev);
__attribute__((weak)) int arch_probe(struct net_device *dev) { return 0; }
extern void netif_rx(struct sk_buff *);
static int nic_open(struct net_device *dev)
{
  int *counter = dev->priv;
  ldv_spin_lock();
  *counter += 1;
  on = *counter;
  ldv_spin_unlock();
  return 0;
}
static int nic_stop(struct net_device *dev)
{
  int *counter = dev->priv;
  ldv_spin_lock();
  *counter -= 1;
  on = *counter;
  ldv_spin_unlock();
  return 0;
}
static int nic_xmit(struct sk_buff *skb, struct net_device *dev)
{
  ldv_spin_lock();
  if (on > 0)
    sent += safe_max(skb->len, 1u) > 8u ? 8 : 1;
  ldv_spin_unlock();
  return 0;
}
static const struct net_device_ops ops = { .ndo_open = nic_open, .ndo_stop = nic_stop, .ndo_start_xmit = nic_xmit };
static int opened;
static struct net_device nic = { .name = "eth%d", .netdev_ops = &ops, .priv = &opened };
static void *ldv_entry_opener(void *arg0)
{
  int tmp = __VERIFIER_nondet_int();
  if (nic.netdev_ops->ndo_open(&nic) == 0) {
    if (tmp) {
      struct sk_buff skb = { .len = (unsigned)tmp };
      (*(nic.netdev_ops->ndo_start_xmit))(&skb, &nic);
    }
    nic.netdev_ops->ndo_stop(&nic);
  }
  return 0;
}
static void *ldv_entry_irq(void *arg0)
{
  int i;
  for (i = 0; i < 2; i++) {
    if (__VERIFIER_nondet_int())
      break;
    ldv_spin_lock();
    if (on)
      ldv_state = 1;
    ldv_spin_unlock();
  }
  return 0;
}
int main(void)
{
  pthread_t a, b;
  if (arch_probe(&nic))
    return -ENODEV;
  registered = 1;
  pthread_create(&a, 0, ldv_entry_opener, 0);
  pthread_create(&b, 0, ldv_entry_irq, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  registered = 0;
  return 0;
}
