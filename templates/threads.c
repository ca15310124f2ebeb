#if BA_MODEL /* threads whose blocking is part of the model: a thread may guess that it waits for good, the end checks the guess */
#define BA_THREADS {{ threads }}
static unsigned ba_live; /* threads besides main that can still go on */
static _Bool ba_ended[BA_THREADS + 1], ba_stuck_join[BA_THREADS + 1];
static {% if single_creator %}BA_THREAD_LOCAL {% endif %}unsigned ba_created;
static BA_THREAD_LOCAL unsigned ba_self; /* 0 in main */
{% if results %}static unsigned long ba_result[BA_THREADS + 1];
{% endif %}static void ba_main_stops(void);
/* The calling thread never goes on: it is blocked for good, cut, or has called pthread_exit. */
BA_UNUSED static void ba_stop(void) {
  if (ba_self == 0) ba_main_stops();
  else { BA_BEGIN(); ba_live--; BA_END(); }
  BA_ASSUME(0);
}
BA_UNUSED static void ba_thread_end(void *ba_value) {
{% if results %}  ba_result[ba_self] = (unsigned long)ba_value;
{% endif %}  BA_BEGIN();
  ba_ended[ba_self] = 1;
  ba_live--;
  BA_END();
  (void)ba_value;
}
static unsigned ba_spawn(void) {
  BA_BEGIN();
  unsigned ba_id = ++ba_created;
  ba_live++;
  BA_END();
{% if !single_creator %}#if BA_CHECK & 64
  BA_ASSERT(ba_id <= BA_THREADS, "baproduct:internal:threads");
#endif
  BA_ASSUME(ba_id <= BA_THREADS);
{% endif %}  return ba_id;
}
{% for f in starts %}static void ba_start_{{ f.name }}(unsigned ba_id, void *ba_argument);
BA_UNUSED static int ba_create_{{ f.name }}(pthread_t *ba_thread, const pthread_attr_t *ba_attributes, void *(*ba_routine)(void *), void *ba_argument) {
  unsigned ba_id = ba_spawn();
  *ba_thread = ba_id;
  (void)ba_attributes;
  (void)ba_routine;
  __CPROVER_ASYNC_1: ba_start_{{ f.name }}(ba_id, ba_argument);
  return 0;
}
{% endfor %}BA_UNUSED static int ba_pthread_join(pthread_t ba_thread, void **ba_value) {
  if (nondet_ba_bool()) {
    ba_stuck_join[ba_thread] = 1;
    ba_stop();
  }
  BA_ASSUME(ba_ended[ba_thread]);
{% if results %}  if (ba_value) *ba_value = (void *)ba_result[ba_thread];
{% endif %}  (void)ba_value;
  return 0;
}
BA_UNUSED static int ba_pthread_detach(pthread_t ba_thread) {
  (void)ba_thread;
  return 0;
}
BA_UNUSED static pthread_t ba_pthread_self(void) { return ba_self; }
#define pthread_join ba_pthread_join
#define pthread_detach ba_pthread_detach
#define pthread_self ba_pthread_self
#define pthread_equal(a, b) ((a) == (b))
/* Ends the calling thread. */
BA_UNUSED static void ba_thread_exit(void *ba_value) {
  if (ba_self == 0) ba_main_stops();
  else ba_thread_end(ba_value);
  BA_ASSUME(0);
}
{% if mutexes %}typedef struct {
  struct { _Bool ba_held; unsigned ba_count; unsigned ba_owner; _Bool ba_stuck; int ba_kind; short ba_e, ba_f; struct { long ba_g, ba_h; } ba_i; } ba;
} ba_mutex_t;
BA_UNUSED static int ba_mutex_init(ba_mutex_t *ba_m, const pthread_mutexattr_t *ba_attributes) {
  ba_m->ba.ba_held = 0;
  (void)ba_attributes;
  return 0;
}
BA_UNUSED static int ba_mutex_destroy(ba_mutex_t *ba_m) {
  (void)ba_m;
  return 0;
}
BA_UNUSED static int ba_mutex_lock(ba_mutex_t *ba_m) {
  if (nondet_ba_bool()) {
    ba_m->ba.ba_stuck = 1;
    ba_stop();
  }
  BA_BEGIN();
  _Bool ba_busy = ba_m->ba.ba_held;
  if (!ba_busy) ba_m->ba.ba_held = 1;
  BA_END();
  BA_ASSUME(!ba_busy);
  return 0;
}
BA_UNUSED static int ba_mutex_trylock(ba_mutex_t *ba_m) {
  BA_BEGIN();
  _Bool ba_busy = ba_m->ba.ba_held;
  if (!ba_busy) ba_m->ba.ba_held = 1;
  BA_END();
  return ba_busy ? 16 /* EBUSY */ : 0;
}
BA_UNUSED static int ba_mutex_unlock(ba_mutex_t *ba_m) {
  ba_m->ba.ba_held = 0;
  return 0;
}
#define pthread_mutex_t ba_mutex_t
#define pthread_mutex_init ba_mutex_init
#define pthread_mutex_destroy ba_mutex_destroy
#define pthread_mutex_lock ba_mutex_lock
#define pthread_mutex_trylock ba_mutex_trylock
#define pthread_mutex_unlock ba_mutex_unlock
{% endif %}{% if semaphores %}typedef struct { unsigned ba_value; _Bool ba_stuck; } ba_sem_t;
BA_UNUSED static int ba_sem_init(ba_sem_t *ba_s, int ba_shared, unsigned ba_value) {
  ba_s->ba_value = ba_value;
  (void)ba_shared;
  return 0;
}
BA_UNUSED static int ba_sem_destroy(ba_sem_t *ba_s) {
  (void)ba_s;
  return 0;
}
BA_UNUSED static int ba_sem_wait(ba_sem_t *ba_s) {
  if (nondet_ba_bool()) {
    ba_s->ba_stuck = 1;
    ba_stop();
  }
  BA_BEGIN();
  _Bool ba_busy = ba_s->ba_value == 0;
  if (!ba_busy) ba_s->ba_value--;
  BA_END();
  BA_ASSUME(!ba_busy);
  return 0;
}
BA_UNUSED static int ba_sem_trywait(ba_sem_t *ba_s) {
  BA_BEGIN();
  _Bool ba_busy = ba_s->ba_value == 0;
  if (!ba_busy) ba_s->ba_value--;
  BA_END();
  return ba_busy ? -1 : 0;
}
BA_UNUSED static int ba_sem_post(ba_sem_t *ba_s) {
  BA_BEGIN();
  ba_s->ba_value++;
  BA_END();
  return 0;
}
BA_UNUSED static int ba_sem_getvalue(ba_sem_t *ba_s, int *ba_value) {
  *ba_value = (int)ba_s->ba_value;
  return 0;
}
#define sem_t ba_sem_t
#define sem_init ba_sem_init
#define sem_destroy ba_sem_destroy
#define sem_wait ba_sem_wait
#define sem_trywait ba_sem_trywait
#define sem_post ba_sem_post
#define sem_getvalue ba_sem_getvalue
{% endif %}#else
{% for f in starts %}#define ba_create_{{ f.name }} pthread_create
{% endfor %}#define ba_thread_end(value) ((void)0)
#define ba_stop() ((void)0)
#define ba_thread_exit(value) ((void)(value))
#endif
