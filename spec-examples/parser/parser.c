/* A parser of a small markup language, fed byte by byte as a network or a file gives them: tags `<name>`, `</name>`,
 * text, and comments `<!...>`. With -DFORGETFUL it forgets to close what an end tag closes.
 */
#define DEPTH 2

enum state { TEXT, OPENED, NAME, END, COMMENT, FAILED };

struct parser {
  enum state state;
  int depth;           /* open elements */
  char names[DEPTH];   /* the first letters of their names */
  int elements;        /* seen so far */
};

struct parser parser;
int finished;

char next_byte(void);

/* What a tag's first letter does. */
static int begin(struct parser *p, char c)
{
  if (p->depth == DEPTH) return 0;
  p->names[p->depth++] = c;
  p->elements++;
  return 1;
}

static int end(struct parser *p, char c)
{
  int before = p->depth;
  if (p->depth == 0 || p->names[p->depth - 1] != c) return 0;
#ifndef FORGETFUL
  p->depth--;
#endif
ended:
  return before;
}

static void feed(struct parser *p, char c)
{
  switch (p->state) {
    case TEXT:
      if (c == '<') p->state = OPENED;
      break;
    case OPENED:
      if (c == '/') p->state = END;
      else if (c == '!') p->state = COMMENT;
      else p->state = begin(p, c) ? NAME : FAILED;
      break;
    case END:
      p->state = end(p, c) ? NAME : FAILED;
      break;
    case NAME:
    case COMMENT:
      if (c == '>') p->state = TEXT;
      break;
    case FAILED:
      break;
  }
}

int main(void)
{
  for (int i = 0; i < 7; i++) {
    feed(&parser, next_byte());
  }
  finished = 1;
  return parser.state == TEXT && parser.depth == 0 ? 0 : 1;
}
