int x;
int main(void) {
  __sync_fetch_and_add(&x, 2);
  __atomic_store_n(&x, 5, 0);
  __sync_bool_compare_and_swap(&x, 5, 7);
  int e = 7, d = 9;
  __atomic_compare_exchange(&x, &e, &d, 0, 0, 0);
  __sync_lock_test_and_set(&x, 1);
  __sync_lock_release(&x);
  return 0;
}
