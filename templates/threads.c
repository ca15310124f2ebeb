#if BA_MODEL && !defined BA_ROUNDS
#define BA_WAITING 1
#else
#define BA_WAITING 0
#endif
#if BA_WAITING /* the model of waiting threads: a thread may guess that it is blocked for good, and the end of the run checks the guess */
#define BA_THREADS {{ threads }}
#define BA_DELAY if (0) /* stands in front of a loop that ends and has no effect */
/* The state of a thread. A thread that is blocked at an object without a number, or in a busy wait (BA_CHECKS_ITSELF), checks its guess itself, when no thread runs any more. */
enum { BA_GOES_ON, BA_ENDED, BA_CUT, BA_CHECKS_ITSELF, BA_JOINS /* + thread */, BA_OBJECT = BA_JOINS + BA_THREADS + 1 /* + number */, BA_CODES = BA_OBJECT + {{ numbers }} };
#ifdef __CPROVER__
#define BA_HALT() BA_ASSUME(0)
#define BA_TELL() ((void)0)
#define BA_IS(id) (ba_self = (id))
#define BA_LEAVE(value) ba_thread_end(value)
#else /* In ESBMC a failed assumption ends the run of all threads: a thread that halts must get no further turn, and nothing may follow the verdict. */
#define BA_HALT() do { BA_ONE(); BA_ASSUME(0); BA_ONE_END(); } while (0)
#define BA_TELL() BA_ASSUME(0)
#define BA_IS(id) ((void)(id))
/* Ends the thread within the current step: each further step would multiply the interleavings. */
void __ESBMC_terminate_thread(void);
#define BA_LEAVE(value) do { void *ba_left = (value); BA_ONE(); ba_thread_end(ba_left); __ESBMC_terminate_thread(); BA_ONE_END(); } while (0)
#endif
{% for t in ids() %}{{ VARIABLE }}unsigned char ba_state_{{ t }}{{ END }}
{% endfor %}{% if selfchecks %}{{ VARIABLE }}_Bool ba_quiet{{ END }} /* no thread runs any more: blocked threads check their guesses now */
{% for t in ids() %}{{ VARIABLE }}_Bool ba_sure_{{ t }}{{ END }}
{% endfor %}{% endif %}{% if threads > 0 %}{{ created }}
{% endif %}{{ number }}
{{ effects }}
{% if polls %}{{ last }}
#define BA_LAST ba_last
{% else %}#define BA_LAST 0
{% endif %}{% if tries %}{{ VARIABLE }}unsigned ba_refusals{{ END }} /* how often threads have tried a lock in vain; an iteration of another thread's busy wait may have held it */
{{ refused }}
#define BA_CHANGES (ba_effects + ba_refusals - ba_refused)
#define BA_REFUSE(busy) do { if (busy) { ba_refusals++; ba_refused++; } } while (0)
{% else %}#define BA_CHANGES ba_effects
#define BA_REFUSE(busy) ((void)0)
{% endif %}{{ dead }}
{% if results %}{% for t in ids() %}{{ VARIABLE }}unsigned long ba_result_{{ t }}{{ END }}
{% endfor %}{% endif %}#ifdef BA_TRACE /* A trace of CBMC orders the steps of a thread only from its first access to a shared object on: BA_BEGINS is such an access. */
{{ VARIABLE }}_Bool ba_begun{{ END }}
#define BA_BEGINS() do { _Bool ba_seen = ba_begun; (void)ba_seen; } while (0)
/* For traces: which thread holds which lock. */
{{ UNUSED_FUNCTION }}void ba_locks(unsigned ba_locked_at, unsigned ba_locked_code) {{ BODY }} BA_SHOW(ba_locked_at); BA_SHOW(ba_locked_code); {{ END }}
{{ UNUSED_FUNCTION }}void ba_frees(unsigned ba_freed_code) {{ BODY }} BA_SHOW(ba_freed_code); {{ END }}
#else
#define BA_BEGINS() ((void)0)
#define ba_locks(place, code) ((void)(place))
#define ba_frees(code) ((void)0)
#endif
{{ PROTOTYPE }}void ba_main_stops(unsigned ba_stops){{ END }}
/* The calling thread never goes on. The function returns only with BA_CHECKS_ITSELF, for the check that the thread really is blocked. */
{{ UNUSED_FUNCTION }}void ba_stop(unsigned ba_code) {{ BODY }}
{% if selfchecks %}  if (ba_self == 0) ba_main_stops(ba_code);
  BA_ONE();
{% else %}  BA_ONE();
  if (ba_self == 0) ba_main_stops(ba_code);
{% endif %}{% for t in ids() %}  if (ba_self == {{ t }}) ba_state_{{ t }} = ba_code;
{% endfor %}  BA_ONE_END();
{% if selfchecks %}  if (ba_code == BA_CHECKS_ITSELF) {
    if (ba_self != 0) BA_ASSUME(ba_quiet);
    return;
  }
{% endif %}  BA_HALT();
{{ END }}
{% if selfchecks %}/* The calling thread has checked that it is blocked for good. */
{{ UNUSED_FUNCTION }}void ba_sure(void) {{ BODY }}
  if (ba_self == 0) ba_finish();
{% for t in ids() %}  if (ba_self == {{ t }}) ba_sure_{{ t }} = 1;
{% endfor %}  BA_HALT();
{{ END }}
{% endif %}/* The calling thread guesses that it is blocked for good at a place. */
{{ UNUSED_FUNCTION }}void ba_blocks(unsigned ba_blocked, unsigned ba_code) {{ BODY }}
  BA_SHOW(ba_blocked);
  BA_SHOW(ba_code);
  ba_stop(ba_code);
{{ END }}
{% if selfchecks %}/* The head of an iteration of a busy wait. If the last iteration had no effect, either this run is dropped (the run without that iteration is explored, too), or the thread guesses that it is blocked for good; then one more iteration, when no thread runs any more, must have no effect either. */
#define BA_WAITS(rounds, spins, seen, same, plain, outer, bound, wait, cut) do { \
    unsigned ba_changes = BA_CHANGES; \
    _Bool ba_same = rounds > 0 && seen == ba_changes && (same); \
    if ((outer) && ((plain) || rounds > 0)) BA_HALT(); \
    if (spins) { \
      if (ba_same) ba_sure(); \
      BA_ASSUME(seen == ba_changes && rounds <= (bound)); \
    } else if ((plain) || ba_same) { \
      if (nondet_ba_bool()) BA_HALT(); \
      ba_blocks(wait, BA_CHECKS_ITSELF); \
      spins = 1; \
{% if polls %}      ba_last = 1; \
{% endif %}    } else if (rounds >= (bound)) ba_cut(cut); \
    rounds++; \
    seen = ba_changes; \
  } while (0)
/* Copies of values at the head of an iteration, for a comparison at the next one. */
#define BA_KEEP(text) text
/* This iteration has an effect, so it does more than wait. */
#define BA_EFFECT(spins) do { ba_effects++; BA_NO_WAIT(spins); } while (0)
#define BA_FAR_EFFECT() do { ba_effects++; BA_NO_WAIT(BA_LAST); } while (0)
#define BA_NO_WAIT(spins) do { if (spins) BA_HALT(); } while (0)
{% endif %}{{ UNUSED_FUNCTION }}void ba_thread_end(void *ba_value) {{ BODY }}
  BA_ONE();
{% for t in ids() %}  if (ba_self == {{ t }}) {
{% if results %}    ba_result_{{ t }} = (unsigned long)ba_value;
{% endif %}    ba_state_{{ t }} = BA_ENDED;
  }
{% endfor %}  (void)ba_value;
  BA_ONE_END();
{{ END }}
/* Ends the calling thread. */
{{ UNUSED_FUNCTION }}void ba_thread_exit(void *ba_value) {{ BODY }}
  ba_thread_end(ba_value);
  if (ba_self == 0) ba_main_stops(BA_ENDED);
  BA_HALT();
{{ END }}
{% if threads > 0 %}{{ FUNCTION }}unsigned ba_spawn(void) {{ BODY }}
{% if !single_creator %}  BA_BEGIN();
{% endif %}  unsigned ba_id = ++ba_created;
{% if !single_creator %}  BA_END();
{% endif %}#if BA_CHECK & 64
  BA_ASSERT(ba_id <= BA_THREADS, "baproduct:internal:threads");
#endif
  BA_ASSUME(ba_id <= BA_THREADS);
  return ba_id;
{{ END }}
{% for f in starts %}{{ PROTOTYPE }}void ba_start_{{ f.name }}(unsigned ba_id, {% if f.computed %}void *(*ba_routine)(void *), {% endif %}void *ba_argument){{ END }}
#ifndef __CPROVER__
{{ VARIABLE }}void *ba_argument_{{ f.name }}[BA_THREADS + 1]{{ END }}
{% if f.computed %}{{ VARIABLE }}void *(*ba_routine_{{ f.name }}[BA_THREADS + 1])(void *){{ END }}
{% endif %}{{ FUNCTION }}void *ba_enter_{{ f.name }}(void *ba_number) {{ BODY }}
  unsigned ba_id = (unsigned)(unsigned long)ba_number;
  BA_ONE();
  ba_self = ba_id;
  void *ba_argument = ba_argument_{{ f.name }}[ba_id];
{% if f.computed %}  void *(*ba_routine)(void *) = ba_routine_{{ f.name }}[ba_id];
{% endif %}  BA_ONE_END();
  ba_start_{{ f.name }}(ba_id, {% if f.computed %}ba_routine, {% endif %}ba_argument);
  return (void *)0;
{{ END }}
#endif
{{ UNUSED_FUNCTION }}void ba_launch_{{ f.name }}(unsigned ba_id, {% if f.computed %}void *(*ba_routine)(void *), {% endif %}void *ba_argument) {{ BODY }}
#ifdef __CPROVER__
  __CPROVER_ASYNC_1: ba_start_{{ f.name }}(ba_id, {% if f.computed %}ba_routine, {% endif %}ba_argument);
#else
  pthread_t ba_thread;
  ba_argument_{{ f.name }}[ba_id] = ba_argument;
{% if f.computed %}  ba_routine_{{ f.name }}[ba_id] = ba_routine;
{% endif %}  pthread_create(&ba_thread, (void *)0, ba_enter_{{ f.name }}, (void *)(unsigned long)ba_id);
#endif
{{ END }}
#define ba_create_{{ f.name }}(thread, attributes, routine, argument) (__extension__ ({ __typeof__(&*(thread)) ba_thread = (thread); void *ba_argument = (void *)(argument); BA_ONE(); unsigned ba_id = ba_spawn(); BA_STORE(*ba_thread = (__typeof__(*ba_thread))(unsigned long)ba_id); ba_launch_{{ f.name }}(ba_id, {% if f.computed %}(void *(*)(void *))(routine), {% endif %}ba_argument); BA_ONE_END(); 0; }))
#define ba_thrd_{{ f.name }}(thread, routine, argument) ba_create_{{ f.name }}(thread, 0, routine, argument)
{% endfor %}{% endif %}/* Whether a thread has ended. */
{{ UNUSED_FUNCTION }}_Bool ba_ended(unsigned long ba_thread) {{ BODY }}
{% for t in ids() %}  if (ba_thread == {{ t }}) return ba_state_{{ t }} == BA_ENDED;
{% endfor %}  (void)ba_thread;
  return 0;
{{ END }}
{{ UNUSED_FUNCTION }}void ba_join(unsigned ba_place, unsigned long ba_thread) {{ BODY }}
  if (nondet_ba_bool()) ba_blocks(ba_place, BA_JOINS + ba_thread);
  BA_ASSUME(ba_ended(ba_thread));
{{ END }}
{% if results %}{{ FUNCTION }}void *ba_value_of(unsigned long ba_thread) {{ BODY }}
{% for t in ids() %}  if (ba_thread == {{ t }}) return (void *)ba_result_{{ t }};
{% endfor %}  (void)ba_thread;
  return (void *)0;
{{ END }}
{% endif %}{{ UNUSED_FUNCTION }}int ba_join_pthread(unsigned ba_place, unsigned long ba_thread, void **ba_value) {{ BODY }}
  ba_join(ba_place, ba_thread);
{% if results %}  void *ba_result = ba_value_of(ba_thread);
  if (ba_value) BA_STORE(*ba_value = ba_result);
{% endif %}  (void)ba_value;
  return 0;
{{ END }}
{{ UNUSED_FUNCTION }}int ba_join_thrd(unsigned ba_place, unsigned long ba_thread, int *ba_value) {{ BODY }}
  ba_join(ba_place, ba_thread);
{% if results %}  int ba_result = (int)(long)ba_value_of(ba_thread);
  if (ba_value) BA_STORE(*ba_value = ba_result);
{% endif %}  (void)ba_value;
  return 0;
{{ END }}
{% if results %}/* Stores the result of the joined thread in an lvalue of any pointer type. */
#define BA_JOIN_INTO(place, thread, result, what) (__extension__ ({ unsigned long ba_joined = (unsigned long)(thread); ba_join(place, ba_joined); (result) = (__typeof__(result))what(unsigned long)ba_value_of(ba_joined); 0; }))
#define ba_pthread_join_into(place, thread, result) BA_JOIN_INTO(place, thread, result, )
#define ba_thrd_join_into(place, thread, result) BA_JOIN_INTO(place, thread, result, (int))
{% endif %}#define ba_pthread_join(place, thread, value) ba_join_pthread(place, (unsigned long)(thread), value)
#define ba_thrd_join(place, thread, value) ba_join_thrd(place, (unsigned long)(thread), value)
#define ba_pthread_detach(thread) ((void)(thread), 0)
#define ba_thrd_detach(thread) ((void)(thread), 0)
#define ba_pthread_self() ((unsigned long)ba_self)
#define ba_thrd_current() ((unsigned long)ba_self)
#define ba_pthread_equal(a, b) ((a) == (b))
#define ba_thrd_equal(a, b) ((a) == (b))
#if BA_CHECK & 256
#define BA_WRONG(place, c) BA_ASSERT(!(c), "baproduct:misuse:" #place)
#else
#define BA_WRONG(place, c) ((void)0)
#endif
#ifdef __CPROVER__ /* CBMC's own models of these functions write shared pointers */
#define ba_malloc(size) __CPROVER_allocate(size, 0)
#define ba_calloc(count, size) __CPROVER_allocate((count) * (size), 1)
#define ba_free(pointer) ((void)(pointer))
#else
#define ba_malloc(size) malloc(size)
#define ba_calloc(count, size) calloc(count, size)
#define ba_free(pointer) free(pointer)
#endif
{{ primitives }}
#else
#define ba_malloc(size) malloc(size)
#define ba_calloc(count, size) calloc(count, size)
#define ba_free(pointer) free(pointer)
{% for f in starts %}#define ba_create_{{ f.name }} pthread_create
#define ba_thrd_{{ f.name }} thrd_create
{% endfor %}#define ba_pthread_join_into(place, thread, result) pthread_join(thread, (void **)&(result))
#define ba_thrd_join_into(place, thread, result) thrd_join(thread, &(result))
{% if checked() %}#if defined BA_ROUNDS && (BA_CHECK & 256)
void __baproduct_use(const char *ba_text); /* asks for the check of the call behind it */
#define BA_USE(place, ...) (__baproduct_use("baproduct:misuse:" #place), __VA_ARGS__)
#else
#define BA_USE(place, ...) __VA_ARGS__
#endif
{% endif %}{% for n in natives %}{% if n.checked %}#define ba_{{ n.name }}(place, ...) BA_USE(place, {{ n.name }}(__VA_ARGS__))
{% else %}#define ba_{{ n.name }}({% if n.placed %}place, {% endif %}...) {{ n.name }}(__VA_ARGS__)
{% endif %}{% endfor %}{% for n in native_types %}#define ba_{{ n }} {{ n }}
{% endfor %}#if defined BA_ROUNDS
#define BA_WAITS(rounds, spins, seen, same, plain, outer, bound, wait, cut) __baproduct_bound(bound, cut)
{{ UNUSED_VARIABLE }}_Bool ba_dead{{ END }} /* whether the run ends in a deadlock */
#define BA_DELAY if (0) /* stands in front of a loop that ends and has no effect */
#else
#define BA_WAITS(rounds, spins, seen, same, plain, outer, bound, wait, cut) ((void)rounds)
#define BA_DELAY
#endif
#define BA_KEEP(text)
#define BA_EFFECT(spins) ((void)0)
#define BA_FAR_EFFECT() ((void)0)
{% if turns %}#define ba_pthread_cond_timedwait_turn(place, c, m, t, round) BA_USE(place, pthread_cond_timedwait(c, m, t))
#define ba_pthread_cond_clockwait_turn(place, c, m, k, t, round) BA_USE(place, pthread_cond_clockwait(c, m, k, t))
#define ba_cnd_timedwait_turn(place, c, m, t, round) BA_USE(place, cnd_timedwait(c, m, t))
{% endif %}#define BA_NO_WAIT(spins) ((void)0)
{{ effects_alone }}
#define ba_thread_end(value) ((void)0)
#define ba_stop(code) ((void)0)
#define ba_thread_exit(value) ((void)(value))
#define BA_TELL() ((void)0)
#endif
