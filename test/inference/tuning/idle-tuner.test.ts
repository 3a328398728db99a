import { expect } from 'chai';
import { IDLE_LOOKS, IdleTuner, MOST_ATTEMPTS } from '../../../src/inference/tuning/idle-tuner.js';

/** A tuner whose time passes by hand. */
class Scene {
  stats = { busy: 0, waiting: 0, batches: 0 };
  readonly begun: AbortSignal[] = [];
  readonly failures: unknown[] = [];
  readonly tuner: IdleTuner;
  #look: (() => void) | undefined;
  #end: { resolve: (settled: boolean) => void; reject: (reason: unknown) => void } | undefined;

  constructor() {
    this.tuner = new IdleTuner({
      stats: () => this.stats,
      measure: (signal) => {
        this.begun.push(signal);
        return new Promise((resolve, reject) => {
          this.#end = { resolve, reject };
          signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
        });
      },
      failed: (error) => this.failures.push(error),
      repeat: (look) => {
        this.#look = look;
        return () => (this.#look = undefined);
      },
    });
  }

  look(times = 1): void {
    for (let i = 0; i < times; i++) this.#look?.();
  }

  get looks(): boolean {
    return this.#look !== undefined;
  }

  async end(outcome: boolean | Error): Promise<void> {
    if (outcome instanceof Error) this.#end!.reject(outcome);
    else this.#end!.resolve(outcome);
    await new Promise(setImmediate);
  }
}

describe('Tuning while nothing is to do', () => {
  it('begins when nothing was spoken for a while, and is done once', async () => {
    const scene = new Scene();
    scene.look(IDLE_LOOKS);
    expect(scene.begun).to.have.length(0);
    scene.look();
    expect(scene.begun).to.have.length(1);
    await scene.end(true);
    expect(scene.looks).to.equal(false);
  });

  it('does not begin while rows are spoken between the looks', () => {
    const scene = new Scene();
    for (let i = 0; i < 5 * IDLE_LOOKS; i++) {
      if (i % (IDLE_LOOKS - 1) === 0) scene.stats.batches += 1;
      scene.look();
    }
    expect(scene.begun).to.have.length(0);
  });

  it('gives up at the first row that is wanted, and begins again later', async () => {
    const scene = new Scene();
    scene.look(IDLE_LOOKS + 1);
    scene.stats = { busy: 1, waiting: 0, batches: 1 };
    scene.look();
    expect(scene.begun[0]!.aborted).to.equal(true);
    await new Promise(setImmediate);
    scene.stats = { busy: 0, waiting: 0, batches: 1 };
    scene.look(IDLE_LOOKS + 1);
    expect(scene.begun).to.have.length(2);
    expect(scene.failures).to.deep.equal([]);
    await scene.end(true);
  });

  it('is tried again where the machine was too busy to tell, but not for ever', async () => {
    const scene = new Scene();
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
      expect(scene.looks).to.equal(true);
      scene.look(IDLE_LOOKS + 1);
      expect(scene.begun).to.have.length(attempt);
      await scene.end(false);
    }
    expect(scene.looks).to.equal(false);
  });

  it('is not tried again when it fails', async () => {
    const scene = new Scene();
    scene.look(IDLE_LOOKS + 1);
    await scene.end(new Error('no'));
    expect(scene.failures).to.have.length(1);
    expect(scene.looks).to.equal(false);
  });

  it('ends with the service', async () => {
    const scene = new Scene();
    scene.look(IDLE_LOOKS + 1);
    await scene.tuner.close();
    expect(scene.begun[0]!.aborted).to.equal(true);
    expect(scene.looks).to.equal(false);
  });
});
