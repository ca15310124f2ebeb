/* Monitored by baproduct {{ version }}.
{% for p in properties %} *
 * {{ p.name }}: {{ p.formula }}
{% for line in p.automaton %} *   {{ line }}
{% endfor %}{% endfor %} *
 * Propositions:
{% for p in propositions %} *   {{ p.variable }}: {{ p.description }}
{% endfor %} *
 * Bounds and checks are macros: -DBA_UNWIND=K (iterations of each loop, depth of each recursion),
 * -DBA_CHECK=MASK (1 false, 2 presumably_false, 4 presumably_true, 8 lasso, 16 end, 32 cut, 64 internal, 128 deadlock, 256 misuse, 512 the program's own assertions, 1024 presumably_false of runs that end, 2048 what runs show, 4096 where runs are cut).
{% if let Some(elements) = union_elements %} *
 * CBMC 6 needs --max-field-sensitivity-array-size {{ elements }}: it loses what is stored in a union with such a long array.
{% endif %} */
{% for h in includes %}#include <{{ h }}>
{% endfor %}{% if !renamed.is_empty() %}#if defined __CPROVER__ || defined __ESBMC_execution || defined BA_ESBMC || defined BA_ROUNDS /* the functions of these headers get other names below */
{% for h in renamed %}#include <{{ h }}>
{% endfor %}#endif
{% endif %}#ifndef BA_UNWIND
#define BA_UNWIND {{ unwind }}
#endif
#ifndef BA_CHECK
#define BA_CHECK {% if models.is_empty() %}1143{% else %}1527{% endif %}
#endif
{% for b in bounds %}#ifndef {{ b.0 }}
#define {{ b.0 }} {{ b.1 }}
#endif
{% endfor %}{% if driven %}#ifndef BA_AT_CUT /* A search may define in front of this text: what happens where a run is cut, */
#define BA_AT_CUT() ((void)0)
#endif
#ifndef BA_ANY /* what value an input gets, */
#define BA_ANY(value) (value)
#endif
#ifndef BA_GIVEN /* and what happens with the value of an input. */
#define BA_GIVEN(value) ((void)0)
#endif
{% endif %}#if defined BA_ROUNDS /* for `baproduct sequentialise`: the calls that start and join threads stay, and each event is an atomic section */
#define BA_MODEL 1
#define BA_ASSERT(c, text) __CPROVER_assert(c, text)
#define BA_ASSUME(c) __CPROVER_assume(c)
_Bool nondet_ba_bool(void);
unsigned nondet_ba_unsigned(void);
void __baproduct_bound(unsigned ba_bound, unsigned ba_at); /* marks an iteration of a loop, or a call of a recursive function, that counts against a bound */
#define BA_BEGIN() __VERIFIER_atomic_begin()
#define BA_END() __VERIFIER_atomic_end()
#define BA_THREAD_LOCAL _Thread_local
{% if driven %}#elif defined BA_DRIVER /* a driver executes the runs; it defines BA_ASSERT and the other macros in front of this text */
#define BA_MODEL 1
{% endif %}#elif defined __CPROVER__
#define BA_MODEL 1
#define BA_ASSERT(c, text) __CPROVER_assert(c, text)
#define BA_ASSUME(c) __CPROVER_assume(c)
_Bool nondet_ba_bool(void);
unsigned nondet_ba_unsigned(void);
{% if threads %}#define BA_BEGIN() __CPROVER_atomic_begin()
#define BA_END() __CPROVER_atomic_end()
#define BA_STORE(...) do { BA_BEGIN(); __VA_ARGS__; BA_END(); } while (0) /* CBMC stores a part behind a pointer with the rest of its object as it read it before: no other thread may write in between */
#define BA_THREAD_LOCAL _Thread_local
{% else %}#define BA_BEGIN() ((void)0)
#define BA_END() ((void)0)
#define BA_THREAD_LOCAL
{% endif %}#elif defined __ESBMC_execution || defined BA_ESBMC
#define BA_MODEL 1
#define BA_ASSERT(c, text) __ESBMC_assert(c, text)
#define BA_ASSUME(c) __ESBMC_assume(c)
#ifdef BA_TRACE /* ESBMC's traces show neither arguments nor results of functions: variables hold copies for them */
#define BA_SHOW(name) __typeof__(name) ba_shown_##name = (name); (void)ba_shown_##name
#endif
void __ESBMC_assert(_Bool, const char *);
void __ESBMC_assume(_Bool);
void __ESBMC_atomic_begin(void);
void __ESBMC_atomic_end(void);
_Bool nondet_ba_bool(void);
unsigned nondet_ba_unsigned(void);
{% if threads %}#define BA_BEGIN() __ESBMC_atomic_begin()
#define BA_END() __ESBMC_atomic_end()
#define BA_ONE() __ESBMC_atomic_begin() /* ESBMC may switch threads at each access to a shared object: what no switch can change is one step */
#define BA_ONE_END() __ESBMC_atomic_end()
#define BA_THREAD_LOCAL _Thread_local
#ifdef BA_ONE_COPY /* for versions of ESBMC that keep one copy of a thread-local object for all threads: an array has one for each */
#define BA_COPIES {{ copies }}
#define BA_ME pthread_self()
#endif
{% else %}#define BA_BEGIN() ((void)0)
#define BA_END() ((void)0)
#define BA_THREAD_LOCAL
{% endif %}#else /* compiled for execution: the program behaves as before, and the monitor observes it */
#define BA_MODEL 0
#pragma GCC diagnostic ignored "-Wunused-value" /* macros are expanded here, and the compiler does not warn inside macros */
#pragma GCC diagnostic ignored "-Wdeclaration-after-statement" /* inserted text declares variables between statements */
#ifndef __clang__ /* inserted text may stand between a switch and its first case, or behind a jump */
#pragma GCC diagnostic ignored "-Wswitch-unreachable"
#pragma GCC diagnostic ignored "-Wimplicit-fallthrough"
#pragma GCC diagnostic ignored "-Wc90-c99-compat"
#else
#pragma GCC diagnostic ignored "-Wself-assign"
#pragma GCC diagnostic ignored "-Wparentheses-equality"
#endif
#define BA_THREAD_LOCAL __thread
#if defined BA_NATIVE /* a runtime that records the run is linked with the program */
void ba_native_begin(void);
void ba_native_end(void);
void ba_native_at(unsigned ba_site);
void ba_native_value(unsigned ba_value);
void ba_native_state(unsigned ba_number, unsigned ba_level);
void ba_native_reached(const char *ba_text);
void ba_native_discarded(void);
void ba_native_over(void);
void ba_native_program(void (*ba_letter)(void), void (*ba_verdict)(void), const char *const *ba_variables, const char *const *ba_states);
{% if handlers %}void ba_native_give_up(void);
#define BA_BEGIN() do { ba_hold(); ba_native_begin(); } while (0)
#define BA_END() do { ba_native_end(); ba_release(); } while (0)
#define BA_GIVE_UP() do { ba_native_give_up(); ba_release_all(); } while (0)
{% else %}#define BA_BEGIN() ba_native_begin()
#define BA_END() ba_native_end()
{% endif %}#define BA_AT(site) ba_native_at(site)
#define BA_ASSERT(c, text) ((c) ? (void)0 : ba_native_reached(text))
#define BA_ASSUME(c) ((c) ? (void)0 : ba_native_discarded())
#define BA_OVER() ba_native_over()
#else
#define BA_ASSERT(c, text) ((void)0)
#define BA_ASSUME(c) ((void)0)
{% if threads && handlers %}{{ VARIABLE }}char ba_native_lock{{ END }}
#define BA_BEGIN() do { ba_hold(); while (__atomic_test_and_set(&ba_native_lock, __ATOMIC_ACQUIRE)); } while (0)
#define BA_END() do { __atomic_clear(&ba_native_lock, __ATOMIC_RELEASE); ba_release(); } while (0)
#define BA_GIVE_UP() ((void)0)
{% else if threads %}{{ VARIABLE }}char ba_native_lock{{ END }}
#define BA_BEGIN() do { } while (__atomic_test_and_set(&ba_native_lock, __ATOMIC_ACQUIRE))
#define BA_END() __atomic_clear(&ba_native_lock, __ATOMIC_RELEASE)
{% else if handlers %}#define BA_BEGIN() ba_hold()
#define BA_END() ba_release()
#define BA_GIVE_UP() ba_release_all()
{% else %}#define BA_BEGIN() ((void)0)
#define BA_END() ((void)0)
{% endif %}#endif
#endif
{% if handlers %}#ifndef BA_GIVE_UP
#define BA_GIVE_UP() ((void)0)
#endif
{{ EARLY_PROTOTYPE }}void ba_hold(void){{ END }} /* handlers of signals may run only between the monitor's steps */
{{ EARLY_PROTOTYPE }}void ba_release(void){{ END }}
{{ EARLY_PROTOTYPE }}void ba_release_all(void){{ END }}
{% endif %}/* Inputs are chosen by the model checker, or read from a recorded run. */
#if BA_MODEL || defined BA_FEED
#define BA_CHOOSES 1
#else
#define BA_CHOOSES 0
#endif
#if defined BA_FEED
long long ba_native_choice(unsigned ba_site);
int ba_native_saves(unsigned ba_site);
void ba_native_round(void);
#define BA_CHOICE(site) ba_native_choice(site)
#endif
#ifndef BA_OVER
#define BA_OVER() ((void)0) /* the program has ended: tells a runtime that records the run */
#endif
#ifndef BA_AT
#define BA_AT(site) BA_SHOW(site)
#endif
#ifndef BA_ONE
#define BA_ONE() ((void)0)
#define BA_ONE_END() ((void)0)
#endif
{% if threads || !models.is_empty() %}#ifndef BA_STORE
#define BA_STORE(...) ((void)(__VA_ARGS__))
#endif
{% endif %}#ifndef BA_SHOW
#define BA_SHOW(name) ((void)(name))
#endif
#if BA_CHECK & 512 /* the program's own assertions */
#define BA_FAILED(site) BA_ASSERT(0, "baproduct:assertion:" #site)
#else
#define BA_FAILED(site) ((void)0)
#endif
{% if parts %}#if defined __CPROVER__ && !defined BA_ROUNDS /* as BA_STORE, around the program's own writes */
#define BA_PUT(...) (__extension__ ({ __typeof__(&(__VA_ARGS__)) ba_at = &(__VA_ARGS__); __typeof__(*ba_at) ba_value, ba_result = ba_value
#define BA_CHANGE(...) (__extension__ ({ __typeof__(&(__VA_ARGS__)) ba_at = &(__VA_ARGS__); __typeof__(*ba_at) ba_value = *ba_at, ba_result = ba_value
#define BA_STORED ; BA_STORE(*ba_at = ba_value); ba_result; }))
#else
#define BA_PUT(...) (__VA_ARGS__)
#define BA_CHANGE(...) (__VA_ARGS__)
#define BA_STORED
#endif
{% endif %}{% if narrows %}#if defined __CPROVER__ /* CBMC would keep only the offset of a pointer that is converted to a narrower integer */
#define ba_narrow(...) (__extension__ ({ \
    const volatile void *ba_wide = (__VA_ARGS__); \
    ((unsigned long)__CPROVER_POINTER_OBJECT(ba_wide) << 16) + (unsigned long)__CPROVER_POINTER_OFFSET(ba_wide); \
  }))
#else
#define ba_narrow(...) (__VA_ARGS__)
#endif
{% endif %}{% if shows %}#if BA_CHECK & 2048 /* what at least one run should show: each value of each proposition, and that areas are entered and left */
{% if threads %}#define BA_SEE(number) BA_ASSERT(0, "baproduct:cover:" #number)
#define BA_SEE_AREA(number) BA_ASSERT(0, "baproduct:area:" #number)
#define BA_SEE_EXIT(number) BA_ASSERT(0, "baproduct:exit:" #number)
#define BA_SEE_START(number) BA_ASSERT(0, "baproduct:starts:" #number)
{% else %}#define BA_SEE(number) (ba_seen_##number = 1)
#define BA_SEE_AREA(number) (ba_entered_##number = 1)
#define BA_SEE_EXIT(number) (ba_left_##number = 1)
{% endif %}#else
#define BA_SEE(number) ((void)0)
#define BA_SEE_AREA(number) ((void)0)
#define BA_SEE_EXIT(number) ((void)0)
{% if threads %}#define BA_SEE_START(number) ((void)0)
{% endif %}#endif
{% endif %}#define BA_UNUSED __attribute__((unused))
/* Whether the n bytes at p overlap an object; whether *p overlaps *q. */
#define BA_MEETS(p, n, object) \
  ((unsigned long)(p) - (unsigned long)&(object) < sizeof(object) || (unsigned long)&(object) - (unsigned long)(p) < (n))
#define BA_OVERLAP(p, q) BA_MEETS(p, sizeof *(p), *(q))
/* Reads all bytes of an object, before an evaluation reads some of them at several places. */
#define BA_PRE_READ(number, object) struct { char ba_bytes[sizeof(object)]; } ba_pre_read##number = *(__typeof__(ba_pre_read##number) *)(void *)&(object); (void)ba_pre_read##number;
#if defined BA_ROUNDS
#define BA_BOUND(counter, bound, site) __baproduct_bound(bound, site)
#elif BA_MODEL
#define BA_BOUND(counter, bound, site) if (++counter > (bound)) ba_cut(site)
#else
#define BA_BOUND(counter, bound, site) ((void)counter)
#endif
{% for p in propositions %}{{ p.declaration }}
{% endfor %}{% for d in declarations %}{{ d }}
{% endfor %}{{ UNUSED_PROTOTYPE }}void ba_start(void){{ END }}
{{ UNUSED_PROTOTYPE }}void ba_finish(void){{ END }}
{{ UNUSED_PROTOTYPE }}void ba_cut(unsigned ba_site){{ END }}
{{ models }}{% if models.is_empty() %}#define BA_CHANGED(old, new) ((void)0)
{% else %}#if BA_WAITING
#define BA_CHANGED(old, new) do { if ((old) != (new)) ba_effects++; } while (0)
#else
#define BA_CHANGED(old, new) ((void)0)
#endif
{% endif %}{% if idle.len() > 0 %}#if BA_MODEL /* calls that only let time pass or set attributes have no effect on the order of events */
{{ UNUSED_FUNCTION }}int ba_idle(int ba_first, ...) {{ BODY }}
  (void)ba_first;
  return 0;
{{ END }}
{% for name in idle %}#define {{ calls }}{{ name }}(...) ba_idle(0, ##__VA_ARGS__)
{% endfor %}{% if !calls.is_empty() %}#else
{% for name in idle %}#define {{ calls }}{{ name }} {{ name }}
{% endfor %}{% endif %}#endif
{% endif %}{% if native.len() > 0 %}#if !BA_MODEL /* a program that is executed has the library's own */
{% for line in native %}{{ line }}
{% endfor %}#endif
{% endif %}{% if silent.len() > 0 %}#if BA_MODEL /* output, and other calls without an effect on the model */
{% for s in silent %}{% if s.own %}#define {{ s.name }} ba_{{ s.name }}
{% else %}{{ UNUSED_FUNCTION }}{{ s.result }} ba_{{ s.name }}(int ba_first, ...) {{ BODY }}
  (void)ba_first;
{% if s.result != "void" %}  {{ s.result }} ba_result;
  return ba_result;
{% endif %}{{ END }}
#define {{ calls }}{{ s.name }}(...) ba_{{ s.name }}(0, ##__VA_ARGS__)
{% endif %}{% endfor %}{% if !calls.is_empty() %}#else
{% for s in silent %}{% if !s.own %}#define {{ calls }}{{ s.name }} {{ s.name }}
{% endif %}{% endfor %}{% endif %}#endif
{% endif %}
