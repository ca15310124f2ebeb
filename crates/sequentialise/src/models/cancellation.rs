//! Models of cancellation.

/// Cancellation: which threads are asked to end, and which do not look.
pub(crate) const CANCEL: &str = r"
static _Bool ba_seq_asked[BA_SEQ_THREADS], ba_seq_shielded[BA_SEQ_THREADS];
static int ba_seq_cancel(unsigned long t) { if (t < BA_SEQ_THREADS) ba_seq_asked[t] = 1; return 0; }
static _Bool ba_seq_cancelled(void) { return ba_seq_asked[ba_seq_now] && !ba_seq_shielded[ba_seq_now]; }
static int ba_seq_cancel_state(int state, int *old) {
  if (old) *old = ba_seq_shielded[ba_seq_now];
  ba_seq_shielded[ba_seq_now] = state != 0;
  return 0;
}
";

/// The functions of [`CANCEL`].
pub(crate) const CANCEL_FUNCTIONS: &[&str] =
    &["ba_seq_cancel", "ba_seq_cancelled", "ba_seq_cancel_state"];

/// A wait for a condition variable that ends because the thread is cancelled: it consumes no signal.
pub(crate) const CANCEL_WAIT: &str = r"
static int ba_seq_wake_cancelled(pthread_cond_t *c, pthread_mutex_t *m, unsigned t) {
  c->ba_seq_waits &= ~BA_SEQ_ONE(t);
  ba_seq_regain(m, t);
  return 0;
}
";
