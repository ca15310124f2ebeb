#if BA_WAITING
{% for c in codes %}/* The code of an object at which a thread is blocked. */
{{ FUNCTION }}unsigned {{ c.function }}({{ c.parameter }}) {{ BODY }}
{% for o in c.objects %}  if ((const void *){{ c.argument }} == (const void *)&{{ o.0 }}) return BA_OBJECT + {{ o.1 }};
{% endfor %}{% if !unnumbered %}#if BA_CHECK & 64
  BA_ASSERT(0, "baproduct:internal:threads");
#endif
{% endif %}  (void){{ c.argument }};
  return BA_CHECKS_ITSELF;
{{ END }}
{% endfor %}/* main never goes on. The run ends if no other thread goes on either and the guess of each blocked thread is right. The function returns only with BA_CHECKS_ITSELF, for the check of main's own guess. */
{{ FUNCTION }}void ba_main_stops(unsigned ba_stops) {{ BODY }}
{% if !selfchecks %}  BA_ONE();
{% endif %}  BA_SHOW(ba_stops);
{% for t in others() %}  unsigned ba_other{{ t }} = ba_state_{{ t }};
{% endfor %}{% if threads > 0 %}  unsigned ba_number = ba_created;
{% endif %}{% for t in others() %}  BA_ASSUME(ba_number < {{ t }} || ba_other{{ t }} != BA_GOES_ON);
{% endfor %}{% for w in waits %}  BA_ASSUME({{ w }});
{% endfor %}  ba_dead = (ba_stops > BA_CUT{% for t in others() %} || ba_other{{ t }} > BA_CUT{% endfor %}) && ba_stops != BA_CUT{% for t in others() %} && ba_other{{ t }} != BA_CUT{% endfor %};
{% if marks_cuts %}  ba_was_cut = ba_stops == BA_CUT{% for t in others() %} || ba_other{{ t }} == BA_CUT{% endfor %};
{% endif %}{% if selfchecks %}{% if threads > 0 %}  ba_quiet = 1;
{% for t in others() %}  BA_ASSUME(ba_other{{ t }} != BA_CHECKS_ITSELF || ba_sure_{{ t }});
{% endfor %}{% endif %}  if (ba_stops == BA_CHECKS_ITSELF) return;
{% endif %}  ba_finish();
{% if !selfchecks %}  BA_ONE_END();
{% endif %}{{ END }}
{% for f in starts %}{% if f.computed %}{% for c in f.calls %}{{ FUNCTION }}_Bool ba_routine_is_{{ loop.index }}(void *(*ba_routine)(void *)) {{ BODY }}
  return ba_routine == (void *(*)(void *)){{ c.0 }};
{{ END }}
{{ FUNCTION }}void *ba_routine_{{ loop.index }}(void *ba_argument) {{ BODY }}
  (void)ba_argument;
  return {{ c.1 }};
{{ END }}
{% endfor %}{% endif %}{{ FUNCTION }}void ba_start_{{ f.name }}(unsigned ba_id, {% if f.computed %}void *(*ba_routine)(void *), {% endif %}void *ba_argument) {{ BODY }}
  BA_IS(ba_id);
  BA_BEGINS();
{% if f.computed %}  void *ba_value = (void *)0;
{% for c in f.calls %}  if (ba_routine_is_{{ loop.index }}(ba_routine)) ba_value = ba_routine_{{ loop.index }}(ba_argument);
{% endfor %}  BA_LEAVE(ba_value);
{% else %}{% for c in f.calls %}  BA_LEAVE({{ c.1 }});
{% endfor %}{% endif %}{{ END }}
{% endfor %}#endif
