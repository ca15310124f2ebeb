#ifndef OBJECTS_H
#define OBJECTS_H
typedef unsigned char u8; typedef unsigned int u32; typedef unsigned long size_t_;
#define NULL ((void *)0)
#define EINVAL 22
#define ENOMEM 12
#define EBUSY 16
#define EAGAIN 11
#define BIT(n) (1u << (n))
#define min(x, y) ({ typeof(x) _x = (x); typeof(y) _y = (y); (void)(&_x == &_y); _x < _y ? _x : _y; })
#define max(x, y) ({ typeof(x) _x = (x); typeof(y) _y = (y); (void)(&_x == &_y); _x > _y ? _x : _y; })
#define clamp(v, lo, hi) min((typeof(v))max(v, lo), hi)
#define container_of(ptr, type, member) ({ const typeof(((type *)0)->member) *__mptr = (ptr); (type *)((char *)__mptr - __builtin_offsetof(type, member)); })
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define READ_ONCE(x) (*(const volatile typeof(x) *)&(x))
#define WRITE_ONCE(x, v) do { *(volatile typeof(x) *)&(x) = (v); } while (0)
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define __cleanup(f) __attribute__((cleanup(f)))
struct list_head { struct list_head *next, *prev; };
#define LIST_HEAD_INIT(n) { &(n), &(n) }
static inline void INIT_LIST_HEAD(struct list_head *l) { l->next = l; l->prev = l; }
static inline void __list_add(struct list_head *n, struct list_head *p, struct list_head *x) { x->prev = n; n->next = x; n->prev = p; p->next = n; }
static inline void list_add_tail(struct list_head *n, struct list_head *h) { __list_add(n, h->prev, h); }
static inline void list_del(struct list_head *e) { e->next->prev = e->prev; e->prev->next = e->next; e->next = e->prev = NULL; }
static inline int list_empty(const struct list_head *h) { return READ_ONCE(h->next) == h; }
#define list_entry(p, t, m) container_of(p, t, m)
#define list_first_entry(p, t, m) list_entry((p)->next, t, m)
#define list_for_each_entry(pos, head, member) for (pos = list_entry((head)->next, typeof(*pos), member); &pos->member != (head); pos = list_entry(pos->member.next, typeof(*pos), member))
#define list_for_each_entry_safe(pos, n, head, member) for (pos = list_entry((head)->next, typeof(*pos), member), n = list_entry(pos->member.next, typeof(*pos), member); &pos->member != (head); pos = n, n = list_entry(n->member.next, typeof(*n), member))
typedef struct { int counter; } atomic_t;
#define ATOMIC_INIT(i) { (i) }
#define atomic_read(v) READ_ONCE((v)->counter)
#define atomic_set(v, i) WRITE_ONCE((v)->counter, (i))
static inline void atomic_inc(atomic_t *v) { __atomic_fetch_add(&v->counter, 1, __ATOMIC_RELAXED); }
static inline int atomic_dec_and_test(atomic_t *v) { return __atomic_sub_fetch(&v->counter, 1, __ATOMIC_ACQ_REL) == 0; }
static inline int atomic_cmpxchg(atomic_t *v, int o, int n) { __atomic_compare_exchange_n(&v->counter, &o, n, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); return o; }
typedef struct { volatile int locked; } spinlock_t;
static inline void spin_lock(spinlock_t *l) { while (__atomic_exchange_n(&l->locked, 1, __ATOMIC_ACQUIRE)) ; }
static inline void spin_unlock(spinlock_t *l) { __atomic_store_n(&l->locked, 0, __ATOMIC_RELEASE); }
static inline int test_and_set_bit(int nr, unsigned long *a) { unsigned long m = 1ul << nr; return (__atomic_fetch_or(a, m, __ATOMIC_SEQ_CST) & m) != 0; }
static inline void clear_bit(int nr, unsigned long *a) { __atomic_fetch_and(a, ~(1ul << nr), __ATOMIC_SEQ_CST); }
static inline int test_bit(int nr, const unsigned long *a) { return (READ_ONCE(*a) >> nr) & 1; }
#endif
