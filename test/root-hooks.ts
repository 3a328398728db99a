import { writeSync } from 'node:fs';

/** How long the process may live on after the last test; what is still open then was left open by a test. */
const GRACE_MILLISECONDS = 10_000;

/**
 * Fails a run that leaves something open. The timer does not itself keep the process alive: it fires only when
 * something else does.
 */
export function mochaGlobalTeardown(): void {
  setTimeout(() => {
    const open = process.getActiveResourcesInfo().filter((kind) => kind !== 'Timeout' && kind !== 'TTYWrap');
    writeSync(
      2,
      `\nThe tests have ended, but the process cannot: still open are ${open.join(', ') || 'timers'}.\n`,
    );
    process.on('exit', () => (process.exitCode = 1)); // after mocha's own listener, which sets its count of failures
    process.exit();
  }, GRACE_MILLISECONDS).unref();
}
