/** The clock and its alarms; tests bring their own. */
export interface Time {
  /** Milliseconds since the epoch. It may jump. */
  now(): number;
  /** Seconds that only go forward. */
  seconds(): number;
  /** Calls back once, after `milliseconds`, unless it is called off. */
  after(milliseconds: number, call: () => void): () => void;
}

/** Longer delays overflow a timer and would fire at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

export const systemTime: Time = {
  now: Date.now,
  seconds: () => performance.now() / 1000,
  after(milliseconds, call) {
    const timer = setTimeout(call, Math.min(Math.max(0, milliseconds), LONGEST_TIMER));
    return () => clearTimeout(timer);
  },
};
