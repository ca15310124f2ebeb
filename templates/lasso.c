{% if by_rounds %}#if defined BA_ROUNDS && (BA_CHECK & 8)
/* Lassos of threads: the state is saved once in a run, at the border of a round that the model checker chooses. This is the monitors' part of it. */
{% for c in copies %}{{ VARIABLE }}{{ c }}{{ END }}
{% endfor %}{% for f in functions %}{{ f }}
{% endfor %}{{ UNUSED_FUNCTION }}void ba_rounds_save(void) {{ BODY }}
{% for s in saves %}  {{ s }}
{% endfor %}{{ END }}
/* The threads' part of the saved state has recurred: if the monitors' part has, too, the run can repeat for ever what it did since. */
{{ UNUSED_FUNCTION }}void ba_rounds_again(void) {{ BODY }}
  _Bool ba_same = 1{% for c in conditions %}
    && {{ c }}{% endfor %};
  {{ reads }}
{% for v in violations %}{{ v.statement() }}{% endfor %}{{ END }}
#endif
{% else %}/* Lassos: the state is saved once in a run, at a visit of a save point that the model checker chooses. */
{% for c in copies %}{{ VARIABLE }}{{ c }}{{ END }}
{% endfor %}{% for f in functions %}{{ f }}
{% endfor %}{{ FUNCTION }}void ba_save(unsigned ba_site) {{ BODY }}
  BA_SHOW(ba_site);
  ba_saved = 1;
{% for s in saves %}  {{ s }}
{% endfor %}{{ END }}
/* Whether the saved state has recurred. */
{{ FUNCTION }}_Bool ba_same(void) {{ BODY }}
  return 1{% for c in conditions %}
    && {{ c }}{% endfor %};
{{ END }}
/* The saved state has recurred, so the run can repeat for ever what it did since: violated formulas. */
{{ FUNCTION }}void ba_lasso(unsigned ba_site) {{ BODY }}
  BA_SHOW(ba_site);
  {{ reads }}
{% for v in violations %}{{ v }}{% endfor %}#if defined BA_FEED
  ba_native_round();
#endif
{{ END }}
{% endif %}