{{ UNUSED_VARIABLE }}_Bool ba_jumping, ba_jump_arrived{{ END }} /* longjmp: functions on the way return; the call of setjmp is reached */
{{ UNUSED_VARIABLE }}unsigned ba_places, ba_to_place{{ END }}
{{ UNUSED_VARIABLE }}int ba_jump_value{{ END }}
#if BA_MODEL
#define BA_SETJMP_LABEL(label) label:
#define BA_LONGJMP(...) ba_jump
#define BA_IF_JUMPING(...) if (ba_jumping) { __VA_ARGS__ }
#else
#define BA_SETJMP_LABEL(label)
#define BA_LONGJMP(...) __VA_ARGS__
#define BA_IF_JUMPING(...)
#endif
{{ UNUSED_FUNCTION }}int ba_saves(unsigned *ba_own, void *ba_place) {{ BODY }}
  if (ba_jump_arrived) {
    ba_jump_arrived = 0;
    return ba_jump_value;
  }
  *ba_own = ++ba_places;
  *(unsigned *)ba_place = *ba_own;
  return 0;
{{ END }}
{{ UNUSED_FUNCTION }}void ba_jump(void *ba_place, int ba_value) {{ BODY }}
  ba_to_place = *(unsigned *)ba_place;
  ba_jump_value = ba_value ? ba_value : 1;
  ba_jumping = 1;
{{ END }}
