{% if mutexes %}/* Mutexes. Other threads see only whether a mutex is held; how often its holder has locked it is thread-local. */
typedef struct { {{ mutex_shape }}_Bool ba_held; unsigned char ba_owner, ba_count, ba_kind; } ba_pthread_mutex_t;
typedef struct { {{ attribute_shape }}int ba_kind; } ba_pthread_mutexattr_t;
typedef ba_pthread_mutex_t ba_mtx_t;
/* 0 normal, 1 recursive, 2 error-checking: the values of PTHREAD_MUTEX_* on Linux. */
#define BA_KIND(m) ((m)->ba_kind ? (m)->ba_kind - 1u : {{ static_kind }})
{{ PROTOTYPE }}unsigned ba_mutex_code(const ba_pthread_mutex_t *ba_m){{ END }}
{{ mine }}
/* How often the calling thread has locked the mutex without unlocking it. */
{{ UNUSED_FUNCTION }}unsigned ba_mutex_mine(ba_pthread_mutex_t *ba_m, unsigned ba_code) {{ BODY }}
{% if unnumbered %}  if (ba_code == BA_CHECKS_ITSELF) return ba_m->ba_owner == ba_self + 1 ? ba_m->ba_count : 0;
{% endif %}  (void)ba_m;
  return ba_mine[ba_code];
{{ END }}
{{ UNUSED_FUNCTION }}void ba_mutex_count(ba_pthread_mutex_t *ba_m, unsigned ba_code, unsigned ba_count) {{ BODY }}
{% if unnumbered %}  if (ba_code == BA_CHECKS_ITSELF) {
    unsigned ba_owner = ba_count ? ba_self + 1 : 0;
    BA_STORE(ba_m->ba_owner = ba_owner);
    BA_STORE(ba_m->ba_count = ba_count);
    return;
  }
{% endif %}  (void)ba_m;
  ba_mine[ba_code] = ba_count;
{{ END }}
{{ UNUSED_FUNCTION }}int ba_mutex_init(ba_pthread_mutex_t *ba_m, unsigned ba_kind) {{ BODY }}
  BA_STORE(ba_m->ba_held = 0);
  BA_STORE(ba_m->ba_kind = ba_kind + 1);
  ba_mutex_count(ba_m, ba_mutex_code(ba_m), 0);
  return 0;
{{ END }}
{{ UNUSED_FUNCTION }}int ba_pthread_mutex_init(ba_pthread_mutex_t *ba_m, const ba_pthread_mutexattr_t *ba_attributes) {{ BODY }}
  return ba_mutex_init(ba_m, ba_attributes ? ba_attributes->ba_kind : 0);
{{ END }}
/* Waits for a mutex that the calling thread does not hold, and takes it. */
{{ UNUSED_FUNCTION }}void ba_mutex_take(unsigned ba_place, ba_pthread_mutex_t *ba_m, unsigned ba_code) {{ BODY }}
  if (nondet_ba_bool()) {
    ba_blocks(ba_place, ba_code);
{% if unnumbered %}    BA_ASSUME(ba_m->ba_held);
    ba_sure();
{% endif %}  }
  BA_BEGIN();
  _Bool ba_busy = ba_m->ba_held;
  if (!ba_busy) ba_m->ba_held = 1;
  BA_END();
  BA_ASSUME(!ba_busy);
  ba_mutex_count(ba_m, ba_code, 1);
  ba_locks(ba_place, ba_code);
{{ END }}
{{ UNUSED_FUNCTION }}int ba_mutex_lock(unsigned ba_place, ba_pthread_mutex_t *ba_m, int ba_deadlock) {{ BODY }}
  unsigned ba_code = ba_mutex_code(ba_m);
  unsigned ba_count = ba_mutex_mine(ba_m, ba_code);
{% if polls %}  if (BA_LAST) {
    BA_ASSUME(ba_count ? BA_KIND(ba_m) == 1 : !ba_m->ba_held);
    return 0;
  }
{% endif %}  if (ba_count) {
    unsigned ba_kind = BA_KIND(ba_m);
    if (ba_kind == 1) {
      ba_mutex_count(ba_m, ba_code, ba_count + 1);
      return 0;
    }
    if (ba_kind == 2) {
{% if polls %}      ba_effects++; /* the unlock that follows has an effect */
{% endif %}      return ba_deadlock;
    }
  }
  ba_mutex_take(ba_place, ba_m, ba_code);
  return 0;
{{ END }}
/* Takes the mutex if it is free, for trylock and for timed locks; `ba_deadlock` is the result for the thread that already holds an error-checking mutex. */
{{ UNUSED_FUNCTION }}int ba_mutex_try(unsigned ba_place, ba_pthread_mutex_t *ba_m, int ba_failure, int ba_deadlock) {{ BODY }}
  unsigned ba_code = ba_mutex_code(ba_m);
  unsigned ba_count = ba_mutex_mine(ba_m, ba_code);
  if (ba_count) {
    if (BA_KIND(ba_m) != 1) return BA_KIND(ba_m) == 2 ? ba_deadlock : ba_failure;
    ba_mutex_count(ba_m, ba_code, ba_count + 1);
    ba_effects++;
    return 0;
  }
  BA_BEGIN();
  _Bool ba_busy = ba_m->ba_held;
  if (!ba_busy) ba_m->ba_held = 1;
  BA_REFUSE(ba_busy);
  BA_END();
  if (ba_busy) return ba_failure;
  ba_effects++;
  ba_mutex_count(ba_m, ba_code, 1);
  ba_locks(ba_place, ba_code);
  return 0;
{{ END }}
{{ UNUSED_FUNCTION }}int ba_mutex_unlock(ba_pthread_mutex_t *ba_m) {{ BODY }}
{% if polls %}  if (BA_LAST) return 0;
{% endif %}  unsigned ba_code = ba_mutex_code(ba_m);
  unsigned ba_count = ba_mutex_mine(ba_m, ba_code);
  if (ba_count == 0) {
    unsigned ba_kind = BA_KIND(ba_m);
    if (ba_kind == 1 || ba_kind == 2) return 1; /* EPERM */
  }
  if (ba_count > 1) {
    ba_mutex_count(ba_m, ba_code, ba_count - 1);
    return 0;
  }
  ba_mutex_count(ba_m, ba_code, 0);
  ba_frees(ba_code);
  BA_STORE(ba_m->ba_held = 0);
  return 0;
{{ END }}
/* Misuse that is not reported by an error code: locking a mutex that the thread holds, unlocking one that it does not hold. */
#define BA_RELOCKS(m) (!BA_LAST && __extension__ ({ ba_pthread_mutex_t *ba_m = (m); ba_mutex_mine(ba_m, ba_mutex_code(ba_m)) != 0 && (BA_KIND(ba_m) == 0 || BA_KIND(ba_m) > 2); }))
#define BA_NOT_MINE(m) (!BA_LAST && __extension__ ({ ba_pthread_mutex_t *ba_m = (m); ba_mutex_mine(ba_m, ba_mutex_code(ba_m)) == 0 && (BA_KIND(ba_m) == 0 || BA_KIND(ba_m) > 2); }))
#define ba_pthread_mutex_destroy(place, m) (__extension__ ({ ba_pthread_mutex_t *ba_destroyed = (m); BA_WRONG(place, ba_destroyed->ba_held); (void)ba_destroyed; 0; }))
#define ba_pthread_mutex_lock(place, m) (__extension__ ({ ba_pthread_mutex_t *ba_locked = (m); BA_WRONG(place, BA_RELOCKS(ba_locked)); ba_mutex_lock(place, ba_locked, 35 /* EDEADLK */); }))
#define ba_pthread_mutex_trylock(place, m) ba_mutex_try(place, m, 16 /* EBUSY */, 16)
#define ba_pthread_mutex_timedlock(place, m, t) ((void)(t), ba_mutex_try(place, m, 110 /* ETIMEDOUT */, 35 /* EDEADLK */))
#define ba_pthread_mutex_clocklock(place, m, c, t) ((void)(t), ba_mutex_try(place, m, 110 /* ETIMEDOUT */, 35 /* EDEADLK */))
#define ba_pthread_mutex_unlock(place, m) (__extension__ ({ ba_pthread_mutex_t *ba_unlocked = (m); BA_WRONG(place, BA_NOT_MINE(ba_unlocked)); ba_mutex_unlock(ba_unlocked); }))
#define ba_pthread_mutexattr_init(a) ((a)->ba_kind = 0)
#define ba_pthread_mutexattr_destroy(a) ((void)(a), 0)
#define ba_pthread_mutexattr_settype(a, kind) ((a)->ba_kind = (kind), 0)
#define ba_pthread_mutexattr_gettype(a, kind) (*(kind) = (a)->ba_kind, 0)
#define ba_mtx_init(m, type) ba_mutex_init(m, (type) & 1 /* mtx_recursive */)
#define ba_mtx_destroy(place, m) ((void)ba_pthread_mutex_destroy(place, m))
#define ba_mtx_lock(place, m) ba_pthread_mutex_lock(place, m)
#define ba_mtx_trylock(place, m) ba_mutex_try(place, m, 1 /* thrd_busy */, 1)
#define ba_mtx_timedlock(place, m, t) ((void)(t), ba_mutex_try(place, m, 4 /* thrd_timedout */, 4))
#define ba_mtx_unlock(place, m) ba_pthread_mutex_unlock(place, m)
{% endif %}{% if conds %}/* Condition variables: a flag for each thread that waits. */
typedef struct { {{ cond_shape }}{% for t in ids() %}_Bool ba_waits_{{ t }}; {% endfor %}} ba_pthread_cond_t;
typedef ba_pthread_cond_t ba_cnd_t;
{{ PROTOTYPE }}unsigned ba_cond_code(const ba_pthread_cond_t *ba_c){{ END }}
{{ FUNCTION }}_Bool ba_cond_waits(ba_pthread_cond_t *ba_c) {{ BODY }}
{% for t in ids() %}  if (ba_self == {{ t }}) return ba_c->ba_waits_{{ t }};
{% endfor %}  return 0;
{{ END }}
{{ FUNCTION }}void ba_cond_set(ba_pthread_cond_t *ba_c, _Bool ba_waits) {{ BODY }}
{% for t in ids() %}  if (ba_self == {{ t }}) ba_c->ba_waits_{{ t }} = ba_waits;
{% endfor %}{{ END }}
#define ba_pthread_cond_init(c, a) ((void)(a), ba_cnd_init(c))
{{ UNUSED_FUNCTION }}int ba_cnd_init(ba_pthread_cond_t *ba_c) {{ BODY }}
{% for t in ids() %}  BA_STORE(ba_c->ba_waits_{{ t }} = 0);
{% endfor %}  return 0;
{{ END }}
/* Unlocks the mutex and begins to wait, in one step. The result is how often the mutex was locked. */
{{ FUNCTION }}unsigned ba_cond_begin(ba_pthread_cond_t *ba_c, ba_pthread_mutex_t *ba_m, unsigned ba_lock) {{ BODY }}
  unsigned ba_count = ba_mutex_mine(ba_m, ba_lock);
  ba_mutex_count(ba_m, ba_lock, 0);
  ba_frees(ba_lock);
  BA_BEGIN();
  ba_cond_set(ba_c, 1);
  ba_m->ba_held = 0;
  BA_END();
  return ba_count;
{{ END }}
{{ UNUSED_FUNCTION }}int ba_cond_wait(unsigned ba_place, ba_pthread_cond_t *ba_c, ba_pthread_mutex_t *ba_m) {{ BODY }}
  unsigned ba_code = ba_cond_code(ba_c), ba_lock = ba_mutex_code(ba_m);
  unsigned ba_count = ba_cond_begin(ba_c, ba_m, ba_lock);
  if (nondet_ba_bool()) {
    ba_blocks(ba_place, ba_code);
{% if unnumbered %}    BA_ASSUME(ba_cond_waits(ba_c));
    ba_sure();
{% endif %}  }
{% if spurious %}  if (nondet_ba_bool()) BA_STORE(ba_cond_set(ba_c, 0));
  else {% else %}  {% endif %}BA_ASSUME(!ba_cond_waits(ba_c));
  ba_mutex_take(ba_place, ba_m, ba_lock);
  ba_mutex_count(ba_m, ba_lock, ba_count ? ba_count : 1);
  return 0;
{{ END }}
/* Ends a timed wait, by a signal or by the time limit, and takes the mutex again. */
{{ UNUSED_FUNCTION }}int ba_cond_resume(unsigned ba_place, ba_pthread_cond_t *ba_c, ba_pthread_mutex_t *ba_m, unsigned ba_count, int ba_failure, _Bool ba_turns) {{ BODY }}
{% if polls %}  if (BA_LAST) {
    BA_ASSUME(!ba_turns || ba_cond_waits(ba_c));
    BA_ASSUME(!ba_m->ba_held);
    return ba_failure;
  }
{% endif %}  unsigned ba_lock = ba_mutex_code(ba_m);
  BA_BEGIN();
  _Bool ba_late = ba_cond_waits(ba_c);
  ba_cond_set(ba_c, 0);
  BA_END();
  (void)ba_turns;
{% if polls %}  if (!ba_late) ba_effects++;
{% endif %}{% if spurious %}  if (nondet_ba_bool()) ba_late = 0;
{% endif %}  ba_mutex_take(ba_place, ba_m, ba_lock);
  ba_mutex_count(ba_m, ba_lock, ba_count ? ba_count : 1);
  return ba_late ? ba_failure : 0;
{{ END }}
/* Wakes one of the waiting threads; the model checker chooses which. */
{{ UNUSED_FUNCTION }}int ba_cond_signal(ba_pthread_cond_t *ba_c) {{ BODY }}
  unsigned ba_pick = nondet_ba_unsigned();
  BA_BEGIN();
{% for t in ids() %}  _Bool ba_waits_{{ t }} = ba_c->ba_waits_{{ t }};
{% endfor %}  if (!({% for t in ids() %}(ba_pick == {{ t }} && ba_waits_{{ t }}) || {% endfor %}0)) ba_pick = {% for t in ids() %}ba_waits_{{ t }} ? {{ t }} : {% endfor %}BA_THREADS + 1;
{% for t in ids() %}  if (ba_pick == {{ t }}) ba_c->ba_waits_{{ t }} = 0;
{% endfor %}  BA_END();
  return 0;
{{ END }}
{{ UNUSED_FUNCTION }}int ba_cond_broadcast(ba_pthread_cond_t *ba_c) {{ BODY }}
  BA_BEGIN();
{% for t in ids() %}  ba_c->ba_waits_{{ t }} = 0;
{% endfor %}  BA_END();
  return 0;
{{ END }}
{{ UNUSED_FUNCTION }}_Bool ba_cond_any(ba_pthread_cond_t *ba_c) {{ BODY }} return {% for t in ids() %}ba_c->ba_waits_{{ t }} || {% endfor %}0; {{ END }}
#define ba_pthread_cond_destroy(place, c) (__extension__ ({ ba_pthread_cond_t *ba_destroyed = (c); BA_WRONG(place, ba_cond_any(ba_destroyed)); (void)ba_destroyed; 0; }))
#define ba_pthread_cond_wait(place, c, m) (__extension__ ({ ba_pthread_mutex_t *ba_released = (m); BA_WRONG(place, ba_mutex_mine(ba_released, ba_mutex_code(ba_released)) == 0); ba_cond_wait(place, c, ba_released); }))
/* `round` is the text between the beginning and the end of the wait; with `turns`, iterations of a busy wait begin there. */
#define BA_TIMEDWAIT(place, c, m, failure, turns, round) (__extension__ ({ ba_pthread_cond_t *ba_awaited = (c); ba_pthread_mutex_t *ba_released = (m); BA_WRONG(place, !BA_LAST && ba_mutex_mine(ba_released, ba_mutex_code(ba_released)) == 0); unsigned ba_count = BA_LAST ? 0 : ba_cond_begin(ba_awaited, ba_released, ba_mutex_code(ba_released)); round; ba_cond_resume(place, ba_awaited, ba_released, ba_count, failure, turns); }))
#define ba_pthread_cond_timedwait(place, c, m, t) ((void)(t), BA_TIMEDWAIT(place, c, m, 110 /* ETIMEDOUT */, 0, ))
#define ba_pthread_cond_clockwait(place, c, m, k, t) ((void)(t), BA_TIMEDWAIT(place, c, m, 110 /* ETIMEDOUT */, 0, ))
{% if turns %}#define ba_pthread_cond_timedwait_turn(place, c, m, t, round) ((void)(t), BA_TIMEDWAIT(place, c, m, 110 /* ETIMEDOUT */, 1, round))
#define ba_pthread_cond_clockwait_turn(place, c, m, k, t, round) ((void)(t), BA_TIMEDWAIT(place, c, m, 110 /* ETIMEDOUT */, 1, round))
#define ba_cnd_timedwait_turn(place, c, m, t, round) ((void)(t), BA_TIMEDWAIT(place, c, m, 4 /* thrd_timedout */, 1, round))
{% endif %}#define ba_pthread_cond_signal(c) ba_cond_signal(c)
#define ba_pthread_cond_broadcast(c) ba_cond_broadcast(c)
#define ba_cnd_destroy(place, c) ((void)ba_pthread_cond_destroy(place, c))
#define ba_cnd_wait(place, c, m) ba_pthread_cond_wait(place, c, m)
#define ba_cnd_timedwait(place, c, m, t) ((void)(t), BA_TIMEDWAIT(place, c, m, 4 /* thrd_timedout */, 0, ))
#define ba_cnd_signal(c) ba_cond_signal(c)
#define ba_cnd_broadcast(c) ba_cond_broadcast(c)
{% endif %}{% if rwlocks %}/* Read-write locks: the number of readers, or -1 for a writer. */
typedef struct { {{ rwlock_shape }}short ba_users; /* -1 for a writer */ } ba_pthread_rwlock_t;
/* The code of a thread that waits to write; the code of one that waits to read is greater by one. */
{{ PROTOTYPE }}unsigned ba_rwlock_code(const ba_pthread_rwlock_t *ba_l){{ END }}
{{ shared }}
{{ UNUSED_FUNCTION }}int ba_pthread_rwlock_init(ba_pthread_rwlock_t *ba_l, const void *ba_attributes) {{ BODY }}
  BA_STORE(ba_l->ba_users = 0);
  (void)ba_attributes;
  return 0;
{{ END }}
{{ FUNCTION }}_Bool ba_rwlock_take(ba_pthread_rwlock_t *ba_l, _Bool ba_writes, _Bool ba_tries) {{ BODY }}
  BA_BEGIN();
  short ba_users = ba_l->ba_users;
  _Bool ba_busy = ba_writes ? ba_users != 0 : ba_users < 0;
  if (!ba_busy) ba_l->ba_users = ba_writes ? -1 : ba_users + 1;
  BA_REFUSE(ba_busy && ba_tries);
  BA_END();
  (void)ba_tries;
  return !ba_busy;
{{ END }}
{{ UNUSED_FUNCTION }}int ba_rwlock_lock(unsigned ba_place, ba_pthread_rwlock_t *ba_l, _Bool ba_writes) {{ BODY }}
{% if polls %}  if (BA_LAST) {
    short ba_users = ba_l->ba_users;
    BA_ASSUME(ba_writes ? ba_users == 0 : ba_users >= 0);
    return 0;
  }
{% endif %}  unsigned ba_code = ba_rwlock_code(ba_l);
  if (nondet_ba_bool()) {
    ba_blocks(ba_place, ba_code == BA_CHECKS_ITSELF || ba_writes ? ba_code : ba_code + 1);
{% if unnumbered %}    BA_ASSUME(ba_writes ? ba_l->ba_users != 0 : ba_l->ba_users < 0);
    ba_sure();
{% endif %}  }
  _Bool ba_taken = ba_rwlock_take(ba_l, ba_writes, 0);
  BA_ASSUME(ba_taken);
  if (ba_shared[ba_code]++ == 0) ba_locks(ba_place, ba_code);
  return 0;
{{ END }}
{{ UNUSED_FUNCTION }}int ba_rwlock_try(unsigned ba_place, ba_pthread_rwlock_t *ba_l, _Bool ba_writes, int ba_failure) {{ BODY }}
  if (!ba_rwlock_take(ba_l, ba_writes, 1)) return ba_failure;
  ba_effects++;
  unsigned ba_code = ba_rwlock_code(ba_l);
  if (ba_shared[ba_code]++ == 0) ba_locks(ba_place, ba_code);
  return 0;
{{ END }}
{{ UNUSED_FUNCTION }}int ba_rwlock_unlock(ba_pthread_rwlock_t *ba_l) {{ BODY }}
{% if polls %}  if (BA_LAST) return 0;
{% endif %}  unsigned ba_code = ba_rwlock_code(ba_l);
  if (ba_shared[ba_code]) ba_shared[ba_code]--;
  if (!ba_shared[ba_code]) ba_frees(ba_code);
  BA_BEGIN();
  short ba_users = ba_l->ba_users;
  ba_l->ba_users = ba_users > 0 ? ba_users - 1 : 0;
  BA_END();
  return 0;
{{ END }}
#define ba_pthread_rwlock_destroy(place, l) (__extension__ ({ ba_pthread_rwlock_t *ba_destroyed = (l); BA_WRONG(place, ba_destroyed->ba_users != 0); (void)ba_destroyed; 0; }))
#define ba_pthread_rwlock_rdlock(place, l) (__extension__ ({ ba_pthread_rwlock_t *ba_locked = (l); BA_WRONG(place, !BA_LAST && ba_rwlock_code(ba_locked) != BA_CHECKS_ITSELF && ba_shared[ba_rwlock_code(ba_locked)] != 0 && ba_locked->ba_users < 0); ba_rwlock_lock(place, ba_locked, 0); }))
#define ba_pthread_rwlock_wrlock(place, l) (__extension__ ({ ba_pthread_rwlock_t *ba_locked = (l); BA_WRONG(place, !BA_LAST && ba_rwlock_code(ba_locked) != BA_CHECKS_ITSELF && ba_shared[ba_rwlock_code(ba_locked)] != 0); ba_rwlock_lock(place, ba_locked, 1); }))
#define ba_pthread_rwlock_tryrdlock(place, l) ba_rwlock_try(place, l, 0, 16 /* EBUSY */)
#define ba_pthread_rwlock_trywrlock(place, l) ba_rwlock_try(place, l, 1, 16 /* EBUSY */)
#define ba_pthread_rwlock_timedrdlock(place, l, t) ((void)(t), ba_rwlock_try(place, l, 0, 110 /* ETIMEDOUT */))
#define ba_pthread_rwlock_timedwrlock(place, l, t) ((void)(t), ba_rwlock_try(place, l, 1, 110 /* ETIMEDOUT */))
#define ba_pthread_rwlock_unlock(place, l) (__extension__ ({ ba_pthread_rwlock_t *ba_unlocked = (l); BA_WRONG(place, !BA_LAST && ba_shared[ba_rwlock_code(ba_unlocked)] == 0); ba_rwlock_unlock(ba_unlocked); }))
{% endif %}{% if barriers %}/* Barriers: for each thread 0 not arrived, 1 waiting, 2 released as the serial thread. */
typedef struct { {{ barrier_shape }}unsigned ba_needed, ba_arrived; {% for t in ids() %}unsigned char ba_waits_{{ t }}; {% endfor %}} ba_pthread_barrier_t;
{{ PROTOTYPE }}unsigned ba_barrier_code(const ba_pthread_barrier_t *ba_b){{ END }}
{{ UNUSED_FUNCTION }}int ba_pthread_barrier_init(ba_pthread_barrier_t *ba_b, const void *ba_attributes, unsigned ba_needed) {{ BODY }}
  (void)ba_attributes;
  if (ba_needed == 0) return 22; /* EINVAL */
  BA_STORE(ba_b->ba_needed = ba_needed);
  BA_STORE(ba_b->ba_arrived = 0);
{% for t in ids() %}  BA_STORE(ba_b->ba_waits_{{ t }} = 0);
{% endfor %}  return 0;
{{ END }}
{{ FUNCTION }}unsigned char ba_barrier_waits(ba_pthread_barrier_t *ba_b) {{ BODY }}
{% for t in ids() %}  if (ba_self == {{ t }}) return ba_b->ba_waits_{{ t }};
{% endfor %}  return 0;
{{ END }}
{{ UNUSED_FUNCTION }}int ba_barrier_wait(unsigned ba_place, ba_pthread_barrier_t *ba_b) {{ BODY }}
  unsigned ba_code = ba_barrier_code(ba_b);
  unsigned ba_needed = ba_b->ba_needed;
{% if serials %}  unsigned ba_pick = nondet_ba_unsigned();
{% else %}  unsigned ba_pick = ba_self;
{% endif %}  BA_BEGIN();
  unsigned ba_arrived = ba_b->ba_arrived + 1;
  _Bool ba_last = ba_arrived >= ba_needed;
  ba_b->ba_arrived = ba_last ? 0 : ba_arrived;
{% for t in ids() %}  unsigned char ba_waits_{{ t }} = {% if serials %}ba_b->ba_waits_{{ t }}{% else %}0{% endif %};
{% endfor %}  if (!({% for t in ids() %}(ba_pick == {{ t }} && ba_waits_{{ t }} == 1) || {% endfor %}0)) ba_pick = ba_self;
{% for t in ids() %}  if (ba_last{% if serials %} && ba_waits_{{ t }} == 1{% endif %}) ba_b->ba_waits_{{ t }} = ba_pick == {{ t }} && ba_self != {{ t }} ? 2 : 0;
  else if (ba_self == {{ t }} && !ba_last) ba_b->ba_waits_{{ t }} = 1;
{% endfor %}  BA_END();
  if (ba_last) return ba_pick == ba_self ? -1 /* PTHREAD_BARRIER_SERIAL_THREAD */ : 0;
  if (nondet_ba_bool()) {
    ba_blocks(ba_place, ba_code);
{% if unnumbered %}    BA_ASSUME(ba_barrier_waits(ba_b) == 1);
    ba_sure();
{% endif %}  }
  unsigned char ba_waits = ba_barrier_waits(ba_b);
  BA_ASSUME(ba_waits != 1);
  return ba_waits == 2 ? -1 : 0;
{{ END }}
#define ba_pthread_barrier_destroy(place, b) (__extension__ ({ ba_pthread_barrier_t *ba_destroyed = (b); BA_WRONG(place, ba_destroyed->ba_arrived != 0); (void)ba_destroyed; 0; }))
#define ba_pthread_barrier_wait(place, b) ba_barrier_wait(place, b)
{% endif %}{% if semaphores %}/* Semaphores. */
typedef struct { {{ sem_shape }}unsigned ba_value; } ba_sem_t;
{{ PROTOTYPE }}unsigned ba_sem_code(const ba_sem_t *ba_s){{ END }}
{{ UNUSED_FUNCTION }}int ba_sem_init(ba_sem_t *ba_s, int ba_processes, unsigned ba_value) {{ BODY }}
  BA_STORE(ba_s->ba_value = ba_value);
  (void)ba_processes;
  return 0;
{{ END }}
{{ FUNCTION }}_Bool ba_sem_take(ba_sem_t *ba_s) {{ BODY }}
  BA_BEGIN();
  unsigned ba_value = ba_s->ba_value;
  if (ba_value) ba_s->ba_value = ba_value - 1;
  BA_END();
  if (ba_value) ba_effects++;
  return ba_value != 0;
{{ END }}
{{ UNUSED_FUNCTION }}int ba_sem_wait_for(unsigned ba_place, ba_sem_t *ba_s) {{ BODY }}
  if (nondet_ba_bool()) {
    ba_blocks(ba_place, ba_sem_code(ba_s));
{% if unnumbered %}    BA_ASSUME(ba_s->ba_value == 0);
    ba_sure();
{% endif %}  }
  _Bool ba_taken = ba_sem_take(ba_s);
  BA_ASSUME(ba_taken);
  return 0;
{{ END }}
{{ UNUSED_FUNCTION }}int ba_sem_post(ba_sem_t *ba_s) {{ BODY }}
  BA_BEGIN();
  ba_s->ba_value++;
  BA_END();
  return 0;
{{ END }}
#define ba_sem_destroy(place, s) ((void)(s), 0)
#define ba_sem_wait(place, s) ba_sem_wait_for(place, s)
{% if errno %}#define BA_FAILS(why) (*__errno_location() = (why), -1)
{% else %}#define BA_FAILS(why) -1
{% endif %}#define ba_sem_trywait(s) (ba_sem_take(s) ? 0 : BA_FAILS(11 /* EAGAIN */))
#define ba_sem_timedwait(s, t) ((void)(t), ba_sem_take(s) ? 0 : BA_FAILS(110 /* ETIMEDOUT */))
#define ba_sem_getvalue(s, v) (*(v) = (int)(s)->ba_value, 0)
{% endif %}{% if spins %}/* Spin locks: 0 free, 1 held. */
{{ PROTOTYPE }}unsigned ba_spin_code(const volatile int *ba_s){{ END }}
{{ spinning }}
{{ UNUSED_FUNCTION }}int ba_spin_lock(unsigned ba_place, volatile int *ba_s) {{ BODY }}
{% if polls %}  if (BA_LAST) {
    BA_ASSUME(!*ba_s);
    return 0;
  }
{% endif %}  unsigned ba_code = ba_spin_code(ba_s);
  if (nondet_ba_bool()) {
    ba_blocks(ba_place, ba_code);
{% if unnumbered %}    BA_ASSUME(*ba_s);
    ba_sure();
{% endif %}  }
  BA_BEGIN();
  _Bool ba_busy = *ba_s;
  if (!ba_busy) *ba_s = 1;
  BA_END();
  BA_ASSUME(!ba_busy);
  ba_spinning[ba_code] = 1;
  ba_locks(ba_place, ba_code);
  return 0;
{{ END }}
{{ UNUSED_FUNCTION }}int ba_spin_try(unsigned ba_place, volatile int *ba_s) {{ BODY }}
  BA_BEGIN();
  _Bool ba_busy = *ba_s;
  if (!ba_busy) *ba_s = 1;
  BA_REFUSE(ba_busy);
  BA_END();
  if (ba_busy) return 16; /* EBUSY */
  ba_effects++;
  unsigned ba_code = ba_spin_code(ba_s);
  ba_spinning[ba_code] = 1;
  ba_locks(ba_place, ba_code);
  return 0;
{{ END }}
{{ UNUSED_FUNCTION }}int ba_spin_unlock(volatile int *ba_s) {{ BODY }}
{% if polls %}  if (BA_LAST) return 0;
{% endif %}  unsigned ba_code = ba_spin_code(ba_s);
  ba_spinning[ba_code] = 0;
  ba_frees(ba_code);
  BA_STORE(*ba_s = 0);
  return 0;
{{ END }}
#define BA_SPINS(s) (!BA_LAST && __extension__ ({ unsigned ba_code = ba_spin_code(s); ba_code != BA_CHECKS_ITSELF && ba_spinning[ba_code]; }))
#define BA_NO_SPIN(s) (!BA_LAST && __extension__ ({ unsigned ba_code = ba_spin_code(s); ba_code != BA_CHECKS_ITSELF && !ba_spinning[ba_code]; }))
#define ba_pthread_spin_init(s, shared) ((void)(shared), __extension__ ({ volatile int *ba_made = (s); BA_STORE(*ba_made = 0); 0; }))
#define ba_pthread_spin_destroy(place, s) (__extension__ ({ volatile int *ba_destroyed = (s); BA_WRONG(place, *ba_destroyed); (void)ba_destroyed; 0; }))
#define ba_pthread_spin_lock(place, s) (__extension__ ({ volatile int *ba_locked = (s); BA_WRONG(place, BA_SPINS(ba_locked)); ba_spin_lock(place, ba_locked); }))
#define ba_pthread_spin_trylock(place, s) ba_spin_try(place, s)
#define ba_pthread_spin_unlock(place, s) (__extension__ ({ volatile int *ba_unlocked = (s); BA_WRONG(place, BA_NO_SPIN(ba_unlocked)); ba_spin_unlock(ba_unlocked); }))
{% endif %}{% if onces %}/* pthread_once: 0 not begun, 1 a thread runs the routine, 2 done. */
{{ PROTOTYPE }}unsigned ba_once_code(const int *ba_o){{ END }}
{{ UNUSED_FUNCTION }}_Bool ba_once_begin(unsigned ba_place, int *ba_o) {{ BODY }}
  BA_BEGIN();
  int ba_was = *ba_o;
  if (ba_was == 0) *ba_o = 1;
  BA_END();
  if (ba_was == 0) return 1;
  if (ba_was == 2) return 0;
  if (nondet_ba_bool()) {
    ba_blocks(ba_place, ba_once_code(ba_o));
{% if unnumbered %}    BA_ASSUME(*ba_o != 2);
    ba_sure();
{% endif %}  }
  BA_ASSUME(*ba_o == 2);
  return 0;
{{ END }}
#define ba_pthread_once(place, o, f) (__extension__ ({ int *ba_once = (int *)(void *)(o); if (ba_once_begin(place, ba_once)) { f(); BA_STORE(*ba_once = 2); } 0; }))
#define ba_call_once(place, o, f) ((void)ba_pthread_once(place, o, f))
{% endif %}
