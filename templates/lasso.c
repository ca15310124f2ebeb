{% if by_rounds %}#if defined BA_ROUNDS && (BA_CHECK & 8)
/* The threads' state is saved at the border of a round, once in a run, when the model checker decides so: what belongs to the monitors. */
{% for c in copies %}{{ VARIABLE }}{{ c }}{{ END }}
{% endfor %}{% for f in functions %}{{ f }}
{% endfor %}{{ UNUSED_FUNCTION }}void ba_rounds_save(void) {{ BODY }}
{% for s in saves %}  {{ s }}
{% endfor %}{{ END }}
/* The threads can repeat for ever what they have done since the save. */
{{ UNUSED_FUNCTION }}void ba_rounds_again(void) {{ BODY }}
  _Bool ba_same = 1{% for c in conditions %}
    && {{ c }}{% endfor %};
  {{ reads }}
{% for v in violations %}{{ v.statement() }}{% endfor %}{{ END }}
#endif
{% else %}/* What is saved at a save point, once in a run, when the model checker decides so. */
{% for c in copies %}{{ VARIABLE }}{{ c }}{{ END }}
{% endfor %}{% for f in functions %}{{ f }}
{% endfor %}{{ FUNCTION }}void ba_save(unsigned ba_site) {{ BODY }}
  BA_SHOW(ba_site);
  ba_saved = 1;
{% for s in saves %}  {{ s }}
{% endfor %}{{ END }}
/* Whether the state is the saved one again. */
{{ FUNCTION }}_Bool ba_same(void) {{ BODY }}
  return 1{% for c in conditions %}
    && {{ c }}{% endfor %};
{{ END }}
/* The run can repeat for ever what it has done since the save. */
{{ FUNCTION }}void ba_lasso(unsigned ba_site) {{ BODY }}
  BA_SHOW(ba_site);
  {{ reads }}
{% for v in violations %}{{ v }}{% endfor %}#if defined BA_FEED
  ba_native_round();
#endif
{{ END }}
{% endif %}