/** Seconds on a clock that runs alike in all threads of this process, and is never set. */
export function secondsNow(): number {
  return Number(process.hrtime.bigint()) / 1e9;
}
