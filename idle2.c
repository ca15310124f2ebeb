int nondet_int(void);
int b,c;
int main(void){ while(!c) { } b=1; }