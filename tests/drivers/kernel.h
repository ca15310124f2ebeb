/* Declarations in the shape that driver code of an operating system's kernel has them: macros with statement expressions, `typeof`,
   inline assembler, tables of functions. Written for these tests. */
#ifndef KERNEL_H
#define KERNEL_H

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef signed char s8;
typedef int s32;
typedef long long s64;
typedef unsigned long size_t;
typedef long ssize_t;
typedef _Bool bool;
typedef unsigned gfp_t;
typedef unsigned long pthread_t;
typedef union pthread_attr_t pthread_attr_t;
enum { false = 0, true = 1 };
#define NULL ((void *)0)
#define GFP_KERNEL ((gfp_t)(0x10u | 0x40u | 0x80u))
#define GFP_ATOMIC ((gfp_t)0x20u)
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define __init __attribute__((__section__(".init.text"))) __attribute__((no_instrument_function))
#define __exit __attribute__((__section__(".exit.text"))) __attribute__((__used__))
#define __always_inline inline __attribute__((always_inline))
#define __must_check __attribute__((warn_unused_result))
#define EINVAL 22
#define ENOMEM 12
#define EBUSY 16
#define EAGAIN 11
#define ENODEV 19
#define BUILD_BUG_ON(condition) ((void)sizeof(char[1 - 2 * !!(condition)]))
#define __same_type(a, b) __builtin_types_compatible_p(typeof(a), typeof(b))
#define BUILD_BUG_ON_ZERO(e) (sizeof(struct { int : (-!!(e)); }))
#define __must_be_array(a) BUILD_BUG_ON_ZERO(__same_type((a), &(a)[0]))
#define ARRAY_SIZE(arr) (sizeof(arr) / sizeof((arr)[0]) + __must_be_array(arr))
#define offsetof(TYPE, MEMBER) __builtin_offsetof(TYPE, MEMBER)
#define container_of(ptr, type, member) ({ const typeof(((type *)0)->member) *__mptr = (ptr); (type *)((char *)__mptr - offsetof(type, member)); })
#define min(x, y) ({ typeof(x) _min1 = (x); typeof(y) _min2 = (y); (void)(&_min1 == &_min2); _min1 < _min2 ? _min1 : _min2; })
#define max(x, y) ({ typeof(x) _max1 = (x); typeof(y) _max2 = (y); (void)(&_max1 == &_max2); _max1 > _max2 ? _max1 : _max2; })
#define min_t(type, x, y) ({ type __min1 = (x); type __min2 = (y); __min1 < __min2 ? __min1 : __min2; })
#define clamp(val, lo, hi) min((typeof(val))max(val, lo), hi)
#define __is_constexpr(x) (sizeof(int) == sizeof(*(8 ? ((void *)((long)(x) * 0l)) : (int *)8)))
#define __typecheck(x, y) (!!(sizeof((typeof(x) *)1 == (typeof(y) *)1)))
#define __cmp(x, y, op) ((x)op(y) ? (x) : (y))
#define __careful_cmp(x, y, op) __builtin_choose_expr((__typecheck(x, y) && (__is_constexpr(x) && __is_constexpr(y))), __cmp(x, y, op), ({ typeof(x) __UNIQUE_ID_x = (x); typeof(y) __UNIQUE_ID_y = (y); __cmp(__UNIQUE_ID_x, __UNIQUE_ID_y, op); }))
#define safe_max(x, y) __careful_cmp(x, y, >)
#define swap(a, b) do { typeof(a) __tmp = (a); (a) = (b); (b) = __tmp; } while (0)
#define ACCESS_ONCE(x) (*(volatile typeof(x) *)&(x))
#define barrier() __asm__ __volatile__("" : : : "memory")
#define mb() asm volatile("mfence" : : : "memory")
#define smp_mb() asm volatile("lock; addl $0,0(%%rsp)" : : : "memory", "cc")

static __always_inline void __read_once_size(const volatile void *p, void *res, int size)
{
  switch (size) {
  case 1: *(u8 *)res = *(volatile u8 *)p; break;
  case 2: *(u16 *)res = *(volatile u16 *)p; break;
  case 4: *(u32 *)res = *(volatile u32 *)p; break;
  case 8: *(u64 *)res = *(volatile u64 *)p; break;
  default: barrier(); __builtin_memcpy((void *)res, (const void *)p, size); barrier();
  }
}
#define READ_ONCE(x) ({ union { typeof(x) __val; char __c[1]; } __u; __read_once_size(&(x), __u.__c, sizeof(x)); __u.__val; })
#define WRITE_ONCE(x, val) ({ typeof(x) __val = (val); *(volatile typeof(x) *)&(x) = __val; __val; })

/* Functions of the kernel, without a body. */
extern int printk(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
extern void *kmalloc(size_t size, gfp_t flags);
extern void kfree(const void *object);
extern void schedule(void);
extern void msleep(unsigned int milliseconds);
extern unsigned long copy_from_user(void *to, const void *from, unsigned long n);

extern int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *), void *argument);
extern int pthread_join(pthread_t thread, void **result);

/* Interrupts off and on. */
static inline unsigned long __native_save_flags(void)
{
  unsigned long flags;
  asm volatile("# __raw_save_flags\n\t" "pushf ; pop %0" : "=rm"(flags) : : "memory");
  return flags;
}
static inline void native_irq_disable(void) { asm volatile("cli" : : : "memory"); }
static inline void native_irq_enable(void) { asm volatile("sti" : : : "memory"); }
static inline void native_restore_fl(unsigned long flags) { asm volatile("push %0 ; popf" : : "g"(flags) : "memory", "cc"); }
#define typecheck(type, x) ({ type __dummy; typeof(x) __dummy2; (void)(&__dummy == &__dummy2); 1; })
#define local_irq_save(flags) do { typecheck(unsigned long, flags); flags = __native_save_flags(); native_irq_disable(); } while (0)
#define local_irq_restore(flags) do { typecheck(unsigned long, flags); native_restore_fl(flags); } while (0)
#define cpu_relax() asm volatile("rep; nop" : : : "memory")

/* Atomic counters. */
typedef struct { int counter; } atomic_t;
#define ATOMIC_INIT(i) { (i) }
static inline int atomic_read(const atomic_t *v) { return (*(volatile int *)&(v)->counter); }
static inline void atomic_set(atomic_t *v, int i) { v->counter = i; }
static inline void atomic_inc(atomic_t *v) { asm volatile("lock; " "incl %0" : "+m"(v->counter)); }
static inline void atomic_dec(atomic_t *v) { asm volatile("lock; " "decl %0" : "+m"(v->counter)); }
static inline void atomic_add(int i, atomic_t *v) { asm volatile("lock; " "addl %1,%0" : "+m"(v->counter) : "ir"(i)); }
static inline int atomic_dec_and_test(atomic_t *v)
{
  unsigned char c;
  asm volatile("lock; " "decl %0; sete %1" : "+m"(v->counter), "=qm"(c) : : "memory");
  return c != 0;
}
#define xadd(ptr, inc) ({ \
  __typeof__(*(ptr)) __ret = (inc); \
  switch (sizeof(*(ptr))) { \
  case 1: asm volatile("lock; " "xaddb %b0, %1\n" : "+q"(__ret), "+m"(*(ptr)) : : "memory", "cc"); break; \
  case 2: asm volatile("lock; " "xaddw %w0, %1\n" : "+r"(__ret), "+m"(*(ptr)) : : "memory", "cc"); break; \
  case 4: asm volatile("lock; " "xaddl %0, %1\n" : "+r"(__ret), "+m"(*(ptr)) : : "memory", "cc"); break; \
  case 8: asm volatile("lock; " "xaddq %q0, %1\n" : "+r"(__ret), "+m"(*(ptr)) : : "memory", "cc"); break; \
  } \
  __ret; })
#define cmpxchg(ptr, old, new) ({ \
  __typeof__(*(ptr)) __ret; __typeof__(*(ptr)) __old = (old); __typeof__(*(ptr)) __new = (new); \
  switch (sizeof(*(ptr))) { \
  case 4: { volatile u32 *__ptr = (volatile u32 *)(ptr); asm volatile("lock; " "cmpxchgl %2,%1" : "=a"(__ret), "+m"(*__ptr) : "r"(__new), "0"(__old) : "memory"); break; } \
  case 8: { volatile u64 *__ptr = (volatile u64 *)(ptr); asm volatile("lock; " "cmpxchgq %2,%1" : "=a"(__ret), "+m"(*__ptr) : "r"(__new), "0"(__old) : "memory"); break; } \
  } \
  __ret; })
static inline int atomic_add_return(int i, atomic_t *v) { return i + xadd(&v->counter, i); }
static inline int atomic_cmpxchg(atomic_t *v, int old, int new) { return cmpxchg(&v->counter, old, new); }
static inline int __atomic_add_unless(atomic_t *v, int a, int u)
{
  int c, old;
  c = atomic_read(v);
  for (;;) {
    if (unlikely(c == (u)))
      break;
    old = atomic_cmpxchg((v), c, c + (a));
    if (likely(old == c))
      break;
    c = old;
  }
  return c;
}
#define atomic_inc_not_zero(v) (__atomic_add_unless((v), 1, 0) != 0)

/* Bits. */
#define BITOP_ADDR(x) "+m"(*(volatile long *)(x))
#define IS_IMMEDIATE(nr) (__builtin_constant_p(nr))
#define CONST_MASK_ADDR(nr, addr) "+m"(*(volatile long *)((void *)(addr) + ((nr) >> 3)))
static __always_inline void set_bit(unsigned int nr, volatile unsigned long *addr)
{
  if (IS_IMMEDIATE(nr)) {
    asm volatile("lock; " "orb %1,%0" : "+m"(*(volatile char *)((void *)(addr) + (nr >> 3))) : "iq"((u8)(1 << (nr & 7))) : "memory");
  } else {
    asm volatile("lock; " "bts %1,%0" : BITOP_ADDR(addr) : "Ir"(nr) : "memory");
  }
}
static __always_inline void clear_bit(int nr, volatile unsigned long *addr)
{
  asm volatile("lock; " "btr %1,%0" : BITOP_ADDR(addr) : "Ir"(nr));
}
static inline int test_and_set_bit(int nr, volatile unsigned long *addr)
{
  int oldbit;
  asm volatile("lock; " "bts %2,%1\n\t" "sbb %0,%0" : "=r"(oldbit), BITOP_ADDR(addr) : "Ir"(nr) : "memory");
  return oldbit;
}
static inline int test_and_set_bit_goto(long nr, volatile unsigned long *addr)
{
  asm goto("lock; " "bts" " %1, " "%0" "; j" "c" " %l[cc_label]" : : "m"(*addr), "Ir"(nr) : "memory" : cc_label);
  return 0;
cc_label:
  return 1;
}
static __always_inline int test_bit(unsigned int nr, const volatile unsigned long *addr)
{
  return ((1UL << (nr % 64)) & (addr[nr / 64])) != 0;
}

/* Locks with tickets. */
typedef struct arch_spinlock { union { u32 head_tail; struct __raw_tickets { u16 head, tail; } tickets; }; } arch_spinlock_t;
typedef struct spinlock { union { struct raw_spinlock { arch_spinlock_t raw_lock; } rlock; }; } spinlock_t;
#define __SPIN_LOCK_UNLOCKED { { .rlock = { .raw_lock = { { 0 } } } } }
#define DEFINE_SPINLOCK(x) spinlock_t x = (spinlock_t)__SPIN_LOCK_UNLOCKED
static __always_inline void arch_spin_lock(arch_spinlock_t *lock)
{
  register struct __raw_tickets inc = { .tail = 1 };
  inc = xadd(&lock->tickets, inc);
  for (;;) {
    if (inc.head == inc.tail)
      break;
    cpu_relax();
    inc.head = ACCESS_ONCE(lock->tickets.head);
  }
  barrier();
}
static __always_inline void arch_spin_unlock(arch_spinlock_t *lock)
{
  asm volatile("addw %1, %0" : "+m"(lock->tickets.head) : "ri"((u16)1) : "memory", "cc");
}
static inline void spin_lock(spinlock_t *lock) { arch_spin_lock(&lock->rlock.raw_lock); }
static inline void spin_unlock(spinlock_t *lock) { arch_spin_unlock(&lock->rlock.raw_lock); }
#define spin_lock_irqsave(lock, flags) do { typecheck(unsigned long, flags); local_irq_save(flags); spin_lock(lock); } while (0)
static inline void spin_unlock_irqrestore(spinlock_t *lock, unsigned long flags) { spin_unlock(lock); local_irq_restore(flags); }

/* Lists. */
struct list_head { struct list_head *next, *prev; };
#define LIST_HEAD_INIT(name) { &(name), &(name) }
#define LIST_HEAD(name) struct list_head name = LIST_HEAD_INIT(name)
static inline void INIT_LIST_HEAD(struct list_head *list) { list->next = list; list->prev = list; }
static inline void __list_add(struct list_head *new, struct list_head *prev, struct list_head *next)
{
  next->prev = new;
  new->next = next;
  new->prev = prev;
  prev->next = new;
}
static inline void list_add(struct list_head *new, struct list_head *head) { __list_add(new, head, head->next); }
static inline void list_add_tail(struct list_head *new, struct list_head *head) { __list_add(new, head->prev, head); }
static inline void list_del(struct list_head *entry) { entry->next->prev = entry->prev; entry->prev->next = entry->next; }
static inline int list_empty(const struct list_head *head) { return head->next == head; }
#define list_entry(ptr, type, member) container_of(ptr, type, member)
#define list_first_entry(ptr, type, member) list_entry((ptr)->next, type, member)
#define list_for_each_entry(pos, head, member) \
  for (pos = list_entry((head)->next, typeof(*pos), member); &pos->member != (head); pos = list_entry(pos->member.next, typeof(*pos), member))
#define list_for_each_entry_safe(pos, n, head, member) \
  for (pos = list_entry((head)->next, typeof(*pos), member), n = list_entry(pos->member.next, typeof(*pos), member); &pos->member != (head); \
       pos = n, n = list_entry(n->member.next, typeof(*n), member))

/* Waiting. */
typedef struct __wait_queue_head { spinlock_t lock; int wakeups; } wait_queue_head_t;
#define DECLARE_WAIT_QUEUE_HEAD(name) wait_queue_head_t name = { .lock = __SPIN_LOCK_UNLOCKED, .wakeups = 0 }
static inline void wake_up(wait_queue_head_t *q) { q->wakeups++; }
#define wait_event(wq, condition) do { if (condition) break; for (;;) { if (condition) break; schedule(); } (void)&(wq); } while (0)
#define wait_event_interruptible(wq, condition) ({ int __ret = 0; if (!(condition)) { for (;;) { if (condition) break; schedule(); } (void)&(wq); } __ret; })

/* Work queues. */
struct work_struct;
typedef void (*work_func_t)(struct work_struct *work);
struct work_struct { unsigned long data; work_func_t func; };
#define __INIT_WORK(_work, _func) do { (_work)->data = 0; (_work)->func = (_func); } while (0)
#define INIT_WORK(_work, _func) do { __INIT_WORK((_work), (_func)); } while (0)

/* Reference counts. */
struct kref { atomic_t refcount; };
static inline void kref_init(struct kref *kref) { atomic_set(&kref->refcount, 1); }
static inline void kref_get(struct kref *kref)
{
  ({ int __ret_warn_on = !!(atomic_add_return(1, &kref->refcount) < 2); if (unlikely(__ret_warn_on)) printk("<4>%s:%d\n", __FILE__, __LINE__); unlikely(__ret_warn_on); });
}
static inline int kref_put(struct kref *kref, void (*release)(struct kref *kref))
{
  if (atomic_dec_and_test(&kref->refcount)) {
    release(kref);
    return 1;
  }
  return 0;
}
#define BUG() do { asm volatile("1:\tud2\n" ".pushsection __bug_table,\"a\"\n" "2:\t.long 1b - 2b, %c0 - 2b\n" "\t.word %c1, 0\n" "\t.org 2b+%c2\n" ".popsection" : : "i"(__FILE__), "i"(__LINE__), "i"(16)); __builtin_unreachable(); } while (0)
#define BUG_ON(condition) do { if (unlikely(condition)) BUG(); } while (0)
#endif
