export interface Watched {
  /** Whether it has something to do. */
  owes: () => boolean;
  /** Any number that changes with every step it takes. */
  progress: () => number;
  /** Called once, when it has owed something for `patience` seconds without a step. */
  stalled: () => void;
  /** Seconds. */
  patience: number;
}

const LOOKS = 10;

/**
 * Looks at a program now and then. Counted in looks, not by the clock: after the machine or this process has slept,
 * the program gets its time too. Returns what ends the watch.
 */
export function watchForStall({ owes, progress, stalled, patience }: Watched): () => void {
  let before = NaN;
  let still = 0;
  const timer = setInterval(
    () => {
      const now = progress();
      still = now === before && owes() ? still + 1 : 0;
      before = now;
      if (still < LOOKS) return;
      clearInterval(timer);
      stalled();
    },
    (patience * 1000) / LOOKS,
  );
  timer.unref();
  return () => clearInterval(timer);
}
