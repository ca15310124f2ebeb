int nondet_int(void);
struct s { int state; unsigned ticks; } c;
int main(void){ while(1){ c.ticks++; if (nondet_int()) c.state = (c.state+1)%3; } }