//! Atomic objects that are wider than what the machine accesses at once: compilers call functions of a library of theirs for them, by
//! these names. A step of the search is taken by one thread, so that plain copies are what these do.

/// The functions, with their definitions. A comparison of objects that may have padding is not among them: what is in
/// padding is not known.
const FUNCTIONS: [(&str, &str); 7] = [
    ("__atomic_load", "void ba_x_wide_load(unsigned long n, const void *from, void *to, int order) __asm__(\"__atomic_load\");\nvoid ba_x_wide_load(unsigned long n, const void *from, void *to, int order) { (void)order; __builtin_memcpy(to, from, n); }\n"),
    ("__atomic_store", "void ba_x_wide_store(unsigned long n, void *to, const void *from, int order) __asm__(\"__atomic_store\");\nvoid ba_x_wide_store(unsigned long n, void *to, const void *from, int order) { (void)order; __builtin_memcpy(to, from, n); }\n"),
    ("__atomic_exchange", "void ba_x_wide_exchange(unsigned long n, void *at, const void *from, void *to, int order) __asm__(\"__atomic_exchange\");\nvoid ba_x_wide_exchange(unsigned long n, void *at, const void *from, void *to, int order) { (void)order; unsigned char new[n]; __builtin_memcpy(new, from, n); __builtin_memcpy(to, at, n); __builtin_memcpy(at, new, n); }\n"),
    ("__atomic_load_16", "unsigned __int128 ba_x_load_16(const void *from, int order) __asm__(\"__atomic_load_16\");\nunsigned __int128 ba_x_load_16(const void *from, int order) { (void)order; unsigned __int128 value; __builtin_memcpy(&value, from, 16); return value; }\n"),
    ("__atomic_store_16", "void ba_x_store_16(void *to, unsigned __int128 value, int order) __asm__(\"__atomic_store_16\");\nvoid ba_x_store_16(void *to, unsigned __int128 value, int order) { (void)order; __builtin_memcpy(to, &value, 16); }\n"),
    ("__atomic_exchange_16", "unsigned __int128 ba_x_exchange_16(void *at, unsigned __int128 value, int order) __asm__(\"__atomic_exchange_16\");\nunsigned __int128 ba_x_exchange_16(void *at, unsigned __int128 value, int order) { (void)order; unsigned __int128 old; __builtin_memcpy(&old, at, 16); __builtin_memcpy(at, &value, 16); return old; }\n"),
    ("__atomic_compare_exchange_16", "_Bool ba_x_compare_exchange_16(void *at, void *expected, unsigned __int128 value, int order, int failing) __asm__(\"__atomic_compare_exchange_16\");\n_Bool ba_x_compare_exchange_16(void *at, void *expected, unsigned __int128 value, int order, int failing) { (void)order; (void)failing; if (__builtin_memcmp(at, expected, 16) == 0) { __builtin_memcpy(at, &value, 16); return 1; } __builtin_memcpy(expected, at, 16); return 0; }\n"),
];

/// The definition of such a function.
pub fn definition(name: &str) -> Option<&'static str> {
    let mut all = FUNCTIONS.iter();
    all.find(|(n, _)| *n == name).map(|(_, text)| *text)
}
