/* Visits classes of states of a woven program: states that agree in all but the variables of `ranges.h`, whose values lie within
 * bounds. From each state of a class the program takes the same steps, to the same classes (a bisimulation; Lee and Yannakakis,
 * STOC 1992), so that the graph of classes has the words of the graph of states. Each class has a state that is reached, from
 * which its steps are taken; those of its states that turn out to take other steps, or the same to other classes, are cut off, and the
 * steps that led to them are taken again.
 *
 * The graph is written when it is complete. Arguments: the most classes, the most MiB, nothing, the places where bytes are
 * chosen. */
#include "ranges.h"
#include "written.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* So many steps are taken again for each class, and these many at least, before the search ends. */
#define BA_X_AGAIN 64
#define BA_X_AGAIN_FEW 100000

/* The most classes of one state: where there are more, they tell little less than the values do. */
#define BA_X_OF_ONE 500

#define NOTHING (~0u)

struct edge {
  unsigned to, actions;
};

struct class {
  struct ba_x_memory *memory;
  unsigned state;  /* the number of all but the variables */
  unsigned next;   /* the next class of this state */
  unsigned letter;
  int site;
  int is_end, waits;
  struct edge *edges;
  struct ba_x_bounds *images; /* between which values the variables lie behind each edge */
  unsigned edge_count, edge_room;
  unsigned *before; /* classes with steps that led here */
  unsigned before_count, before_room;
};

static struct class *classes;
static size_t class_count, class_room;
static struct ba_x_bounds *boxes;
static long long *values;
static struct {
  unsigned first, count;
} *of_state; /* by the number of a state, its classes */
static size_t state_room;
static unsigned *queue;
static size_t head, tail, queue_room; /* a ring */
static size_t most_classes, most_bytes;
static unsigned long long discarded, taken;

static void *resized(void *old, size_t count, size_t size) {
  void *p = realloc(old, count * size + 1);
  if (!p) ba_x_give_up("memory");
  return p;
}

/* Sequences of actions, each once. */
static struct ba_x_action *actions;
static size_t action_count, action_room;
static struct sequence {
  size_t from, count;
} *sequences;
static size_t sequence_count, sequence_room;
static unsigned *slots;
static size_t slot_count;

static int is_sequence(const struct sequence *s, const struct ba_x_action *of, size_t count) {
  if (s->count != count) return 0;
  for (size_t i = 0; i < count; i++) {
    const struct ba_x_action *a = &actions[s->from + i];
    if (a->kind != of[i].kind || a->site != of[i].site || a->value != of[i].value) return 0;
  }
  return 1;
}

static size_t hashed(const struct ba_x_action *of, size_t count) {
  unsigned long long h = count;
  for (size_t i = 0; i < count; i++) {
    h = (h ^ (unsigned long long)of[i].kind) * 0x9e3779b97f4a7c15u;
    h = (h ^ (unsigned long long)of[i].site ^ h >> 29) * 0xbf58476d1ce4e5b9u;
    h = (h ^ (unsigned long long)of[i].value ^ h >> 32) * 0x94d049bb133111ebu;
  }
  return (size_t)(h ^ h >> 31);
}

static unsigned sequence_of(const struct ba_x_action *of, size_t count) {
  if (slot_count < 2 * (sequence_count + 1)) {
    free(slots);
    slot_count = slot_count ? 2 * slot_count : 1024;
    slots = resized(0, slot_count, sizeof *slots);
    memset(slots, 0xff, slot_count * sizeof *slots);
    for (size_t i = 0; i < sequence_count; i++) {
      size_t at = hashed(actions + sequences[i].from, sequences[i].count) & (slot_count - 1);
      while (slots[at] != NOTHING) at = (at + 1) & (slot_count - 1);
      slots[at] = (unsigned)i;
    }
  }
  size_t at = hashed(of, count) & (slot_count - 1);
  for (; slots[at] != NOTHING; at = (at + 1) & (slot_count - 1))
    if (is_sequence(&sequences[slots[at]], of, count)) return slots[at];
  if (action_count + count > action_room) actions = resized(actions, action_room = 2 * (action_count + count), sizeof *actions);
  if (sequence_count == sequence_room) sequences = resized(sequences, sequence_room = 2 * sequence_room + 64, sizeof *sequences);
  memcpy(actions + action_count, of, count * sizeof *of);
  sequences[sequence_count] = (struct sequence){ action_count, count };
  action_count += count;
  slots[at] = (unsigned)sequence_count;
  return (unsigned)sequence_count++;
}

static void enqueue(unsigned number) {
  if (classes[number].waits) return;
  classes[number].waits = 1;
  if (tail - head == queue_room) {
    size_t size = 2 * queue_room + 1024;
    unsigned *bigger = resized(0, size, sizeof *bigger);
    for (size_t i = head; i < tail; i++) bigger[i - head] = queue[i % queue_room];
    free(queue);
    queue = bigger;
    queue_room = size;
    tail -= head;
    head = 0;
  }
  queue[tail++ % queue_room] = number;
}

static int is_within(const struct ba_x_bounds *inner, const struct ba_x_bounds *outer) {
  for (unsigned k = 0; k < ba_x_ranged; k++)
    if (inner[k].low < outer[k].low || inner[k].high > outer[k].high) return 0;
  return 1;
}

/* The bounds of a new class: as wide as the other classes of its state leave. */
static void bound(unsigned state, struct ba_x_bounds *box, const long long *of) {
  for (unsigned k = 0; k < ba_x_ranged; k++) box[k] = (struct ba_x_bounds){ BA_X_NONE, INT_MAX };
  for (unsigned other = of_state[state].first; other != NOTHING; other = classes[other].next) {
    const struct ba_x_bounds *its = boxes + (size_t)other * ba_x_ranged;
    unsigned apart = ba_x_ranged, meet = 1;
    for (unsigned k = 0; k < ba_x_ranged && meet; k++) {
      meet = its[k].low <= box[k].high && box[k].low <= its[k].high;
      if (apart == ba_x_ranged && (of[k] < its[k].low || of[k] > its[k].high)) apart = k;
    }
    if (!meet || apart == ba_x_ranged) continue;
    if (of[apart] < its[apart].low) box[apart].high = its[apart].low - 1;
    else box[apart].low = its[apart].high + 1;
  }
}

/* The class in which a step ended. */
static unsigned class_of(const struct ba_x_step *step, const long long *of) {
  int known;
  unsigned state = ba_x_number(step->key, step->key_size, &known);
  if (state >= state_room) {
    size_t before = state_room;
    state_room = 2 * (state + (size_t)64);
    of_state = resized(of_state, state_room, sizeof *of_state);
    for (size_t i = before; i < state_room; i++) of_state[i].first = NOTHING, of_state[i].count = 0;
  }
  for (unsigned n = of_state[state].first; n != NOTHING; n = classes[n].next) {
    const struct ba_x_bounds *box = boxes + (size_t)n * ba_x_ranged;
    unsigned k = 0;
    while (k < ba_x_ranged && box[k].low <= of[k] && of[k] <= box[k].high) k++;
    if (k == ba_x_ranged) return n;
  }
  if (class_count == most_classes) ba_x_give_up("states");
  if (++of_state[state].count > BA_X_OF_ONE) ba_x_give_up("classes");
  if (class_count == class_room) {
    class_room = 2 * class_room + 256;
    classes = resized(classes, class_room, sizeof *classes);
    boxes = resized(boxes, class_room * ba_x_ranged, sizeof *boxes);
    values = resized(values, class_room * ba_x_ranged, sizeof *values);
  }
  unsigned number = (unsigned)class_count;
  size_t at = (size_t)number * ba_x_ranged;
  memcpy(values + at, of, ba_x_ranged * sizeof *values);
  bound(state, boxes + at, of);
  struct class *new = &classes[class_count++];
  memset(new, 0, sizeof *new);
  new->state = state;
  new->next = of_state[state].first;
  of_state[state].first = number;
  new->letter = step->letter;
  new->is_end = step->end == BA_X_END;
  new->site = ba_x_site_of(step);
  if (!new->is_end) {
    size_t size;
    new->memory = ba_x_remember(&size);
    ba_x_bytes += size + sizeof *new + ba_x_ranged * (sizeof *boxes + sizeof *values);
    enqueue(number);
  }
  return number;
}

/* Puts an edge. Behind the end of a run the variables may have any values. */
static void put(unsigned from, unsigned to, const struct ba_x_step *step) {
  struct class *c = &classes[from];
  if (c->edge_count == c->edge_room) {
    size_t before = c->edge_room;
    c->edge_room = 2 * c->edge_room + 4;
    c->edges = resized(c->edges, c->edge_room, sizeof *c->edges);
    c->images = resized(c->images, (size_t)c->edge_room * ba_x_ranged, sizeof *c->images);
    ba_x_bytes += (c->edge_room - before) * (sizeof *c->edges + ba_x_ranged * sizeof *c->images);
  }
  struct ba_x_bounds *images = c->images + (size_t)c->edge_count * ba_x_ranged;
  for (unsigned k = 0; k < ba_x_ranged; k++) images[k] = ba_x_image(k);
  c->edges[c->edge_count++] = (struct edge){ to, sequence_of(step->actions, step->count) };
  struct class *target = &classes[to];
  if (target->is_end) return;
  if (target->before_count && target->before[target->before_count - 1] == from) return;
  if (target->before_count == target->before_room) {
    target->before = resized(target->before, target->before_room = 2 * target->before_room + 4, sizeof *target->before);
    ba_x_bytes += (target->before_room / 2) * sizeof *target->before;
  }
  target->before[target->before_count++] = from;
}

/* Takes again the steps that may lead to what was cut off from a class. */
static void again(unsigned to) {
  struct class *target = &classes[to];
  const struct ba_x_bounds *box = boxes + (size_t)to * ba_x_ranged;
  unsigned kept = 0;
  for (unsigned i = 0; i < target->before_count; i++) {
    struct class *c = &classes[target->before[i]];
    int leads = 0, stays = 1;
    for (unsigned e = 0; e < c->edge_count; e++) {
      if (c->edges[e].to != to) continue;
      leads = 1;
      stays &= is_within(c->images + (size_t)e * ba_x_ranged, box);
    }
    if (!stays) enqueue(target->before[i]);
    if (leads) target->before[kept++] = target->before[i];
  }
  target->before_count = kept;
}

/* Takes all steps from a class. */
static void visit(unsigned number) {
  static struct ba_x_bounds *box;
  static long long *own;
  static struct ba_x_step step;
  if (!box) box = resized(0, ba_x_ranged, sizeof *box), own = resized(0, ba_x_ranged, sizeof *own);
  size_t at = (size_t)number * ba_x_ranged;
  memcpy(box, boxes + at, ba_x_ranged * sizeof *box);
  memcpy(own, values + at, ba_x_ranged * sizeof *own);
  classes[number].edge_count = 0;
  /* The start of the program comes before all values. */
  const long long *from = number ? own : 0;
  ba_x_follow(from, box);
  ba_x_first(classes[number].memory, &step);
  do {
    if (step.end == BA_X_WRONG) ba_x_give_up("internal");
    taken++;
    if (step.end == BA_X_DISCARDED) {
      discarded++;
    } else {
      if (step.end == BA_X_HEAD && !ba_x_agrees()) ba_x_give_up("internal");
      unsigned to = class_of(&step, ba_x_reached);
      if (step.end == BA_X_HEAD)
        for (unsigned k = 0; k < ba_x_ranged; k++) ba_x_keep(k, boxes[(size_t)to * ba_x_ranged + k]);
      put(number, to, &step);
    }
    if (ba_x_bytes > most_bytes) ba_x_give_up("memory");
    if (taken > BA_X_AGAIN * class_count + BA_X_AGAIN_FEW) ba_x_give_up("classes");
    ba_x_follow(from, box);
  } while (ba_x_next(classes[number].memory, &step));
  if (memcmp(box, boxes + at, ba_x_ranged * sizeof *box) != 0) {
    memcpy(boxes + at, box, ba_x_ranged * sizeof *box);
    again(number);
  }
}

/* Writes the classes that are reached, breadth first. */
static void tell(void) {
  unsigned *numbers = resized(0, class_count, sizeof *numbers), *order = resized(0, class_count, sizeof *order);
  size_t told = 0, at = 0, level_ends = 1;
  unsigned long long edges = 0, levels = 0;
  memset(numbers, 0xff, class_count * sizeof *numbers);
  numbers[0] = 0;
  order[told++] = 0;
  ba_x_tell_state('h', 0, -1);
  for (; at < told; at++) {
    if (at == level_ends) levels++, level_ends = told;
    const struct class *c = &classes[order[at]];
    ba_x_tell_steps();
    for (unsigned e = 0; e < c->edge_count; e++) {
      unsigned to = c->edges[e].to;
      if (numbers[to] == NOTHING) {
        numbers[to] = (unsigned)told;
        order[told++] = to;
        ba_x_tell_state(classes[to].is_end ? 'e' : 'h', classes[to].letter, classes[to].site);
      }
      const struct sequence *s = &sequences[c->edges[e].actions];
      ba_x_letters_of(actions + s->from, s->count);
      if (!ba_x_is_new(numbers[to])) continue;
      edges++;
      ba_x_tell_step((unsigned)at, numbers[to], actions + s->from, s->count);
    }
  }
  ba_x_tell_line("Z %zu %llu %llu %llu %zu\n", told, edges, discarded, levels, ba_x_bytes);
  ba_x_tell_all();
}

int main(int argc, char **argv) {
  most_classes = argc > 1 ? strtoull(argv[1], 0, 10) : 1000000;
  most_bytes = argc > 2 ? strtoull(argv[2], 0, 10) << 20 : (size_t)2 << 30;
  ba_x_open();
  if (argc > 3) ba_x_choose_ways(argv[3]);
  if (argc > 4) ba_x_choose_places(argv[4]);
  ba_x_by_ranges = 1;
  static const struct ba_x_step start = { .end = BA_X_END, .key = (const unsigned char *)"start", .key_size = 5 };
  long long *none = calloc(ba_x_ranged + 1, sizeof *none);
  if (!none) ba_x_give_up("memory");
  class_of(&start, none);
  classes[0].site = -1;
  classes[0].is_end = 0;
  classes[0].memory = ba_x_initial();
  enqueue(0);
  while (head != tail) {
    unsigned next = queue[head++ % queue_room];
    classes[next].waits = 0;
    visit(next);
  }
  tell();
  _exit(0);
}
