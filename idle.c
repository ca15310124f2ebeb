int nondet_int(void);
int b;
int main(void){ while(1); }