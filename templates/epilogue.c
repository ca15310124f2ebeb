
{% for f in functions %}{{ f }}
{% endfor %}/* The verdict of the word, taken once at the end of a run. */
{{ FUNCTION }}void ba_finish(void) {{ BODY }}
  BA_BEGIN();
{% if several_ends %}  _Bool ba_late = ba_over;
  ba_over = 1;
  BA_END(); /* an atomic block must not end on one of several paths */
#if BA_MODEL
  BA_ASSUME(!ba_late);
#else
  if (ba_late) return;
#endif
  BA_BEGIN();
{% endif %}{% if let Some(void) = unfollowed %}  BA_ASSUME(!({{ void }}));
{% endif %}{% if let Some(void) = pruned %}  _Bool ba_gone = {{ void }}; /* the run is discarded and has no verdict */
  (void)ba_gone;
{% endif %}{% if prefix %}  _Bool ba_prefix = ba_was_cut;
  (void)ba_prefix;
{% endif %}  {{ reads }}
{% for a in at_end %}{{ a }}{% endfor %}{% if models %}  BA_TELL();
{% endif %}  BA_END();
{{ END }}
#if defined BA_NATIVE
/* The letter for the record of a native run: the propositions, then each monitor's state and the value of the word so far. */
{{ FUNCTION }}void ba_native_letter(void) {{ BODY }}
{% if let Some(void) = pruned %}  BA_UNUSED _Bool ba_gone = {{ void }};
{% endif %}{% if prefix %}  BA_UNUSED _Bool ba_prefix = ba_was_cut;
{% endif %}  {{ reads }}
{% for v in variables %}  ba_native_value({{ v }});
{% endfor %}{% for p in properties %}  ba_native_state({{ p.value }}, {% for l in p.levels %}{{ l.condition }} ? {{ l.bit }} : {% endfor %}8);
{% endfor %}{{ END }}
{{ CONSTRUCTOR_FUNCTION }}void ba_native_here(void) {{ BODY }}
  static const char *const ba_variables[] = { {% for v in variables %}"{{ v }}", {% endfor %}0 };
  static const char *const ba_states[] = { {% for p in properties %}"{{ p.state }}", {% endfor %}0 };
  ba_native_program(ba_native_letter, ba_finish, ba_variables, ba_states);
{{ END }}
#endif
/* The calling thread is cut at a bound. The word of the run is then a prefix of a longer word. */
{{ FUNCTION }}void ba_cut(unsigned ba_site) {{ BODY }}
{% if driven %}  BA_AT_CUT();
{% endif %}{% if let Some(a) = at_cut %}{{ a }}{% endif %}{% for a in cuts_at %}{{ a }}{% endfor %}{% if cut %}  ba_was_cut = 1;
{% if !sure.is_empty() %}  ba_may_vanish = {% for site in sure %}ba_site != {{ site }}{% if !loop.last %} && {% endif %}{% endfor %};
{% endif %}{% else if prefix %}#if defined BA_ROUNDS
  ba_was_cut = 1;
#endif
{% endif %}  BA_SHOW(ba_site);
{% if models %}#if BA_WAITING
  ba_stop(BA_CUT);
#endif
{% else %}#if BA_MODEL
  ba_finish();
  BA_ASSUME(0);
#endif
{% endif %}{{ END }}
{% if models %}#if defined BA_ROUNDS
/* By rounds: no thread can go on, so the run ends. */
{{ UNUSED_FUNCTION }}void ba_rounds_over(_Bool ba_deadlocked) {{ BODY }}
  ba_dead = ba_deadlocked;
  ba_finish();
{{ END }}
/* By rounds: the rounds are used up, and the run goes on beyond them. Only a violation that no continuation can mend counts. */
{{ UNUSED_FUNCTION }}void ba_rounds_stopped(void) {{ BODY }}
{% if let Some(void) = unfollowed %}  BA_ASSUME(!({{ void }}));
{% endif %}{% if let Some(void) = pruned %}  BA_UNUSED _Bool ba_gone = {{ void }};
{% endif %}{% if cut %}  BA_UNUSED _Bool ba_prefix = 1;
{% endif %}  {{ reads }}
{% for a in at_stop %}{{ a }}{% endfor %}{{ END }}
#endif
{% endif %}{% if native.len() > 0 %}#if !BA_MODEL
{% for line in native %}{{ line }}
{% endfor %}#endif
{% endif %}{{ endings }}