{% if by_rounds %}#if defined BA_ROUNDS && (BA_CHECK & 8)
/* The threads' state is saved at the border of a round, once in a run, when the model checker decides so: what belongs to the monitors. */
{% for c in copies %}{{ c }}
{% endfor %}{% for f in functions %}{{ f }}
{% endfor %}BA_UNUSED static void ba_rounds_save(void) {
{% for s in saves %}  {{ s }}
{% endfor %}}
/* The threads can repeat for ever what they have done since the save. */
BA_UNUSED static void ba_rounds_again(void) {
  _Bool ba_same = 1{% for c in conditions %}
    && {{ c }}{% endfor %};
  {{ reads }}
{% for v in violations %}  BA_ASSERT(!(ba_same && ({{ v.1 }})), "baproduct:{{ v.0 }}:lasso");
{% endfor %}}
#endif
{% else %}/* What is saved at a save point, once in a run, when the model checker decides so. */
{% for c in copies %}{{ c }}
{% endfor %}{% for f in functions %}{{ f }}
{% endfor %}static void ba_save(unsigned ba_site) {
  BA_SHOW(ba_site);
  ba_saved = 1;
{% for s in saves %}  {{ s }}
{% endfor %}}
/* Whether the state is the saved one again. */
static _Bool ba_same(void) {
  return 1{% for c in conditions %}
    && {{ c }}{% endfor %};
}
/* The run can repeat for ever what it has done since the save. */
static void ba_lasso(unsigned ba_site) {
  BA_SHOW(ba_site);
  {{ reads }}
{% for v in violations %}#if BA_CHECK & 8
  BA_ASSERT(!({{ v.1 }}), "baproduct:{{ v.0 }}:lasso");
#endif
{% endfor %}#if defined BA_FEED
  ba_native_round();
#endif
}
{% endif %}