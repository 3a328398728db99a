import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';

/** Mocha's spec reporter, which also writes the run's totals as JSON to the file that its option `totals` names. */
export default class TotalsReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const { totals } = (options.reporterOptions ?? {}) as { totals?: string };
    if (totals === undefined) return;
    runner.once(Mocha.Runner.constants.EVENT_RUN_END, () => {
      const { passes, failures, pending } = this.stats;
      writeFileSync(totals, JSON.stringify({ passed: passes, failed: failures, skipped: pending }));
    });
  }
}
