import { expect } from 'chai';
import { IdleRelease, QUIET_LOOKS } from '../../src/inference/idle-release.js';

/** Lanes whose time passes by hand. */
class Scene {
  readonly stats = { busy: 0, waiting: 0, batches: 0 };
  released = 0;
  look = () => {};
  readonly release = new IdleRelease({
    stats: () => this.stats,
    release: () => {
      this.released += 1;
      return Promise.reject(new Error('The thread has ended.')); // which must harm nobody
    },
    repeat: (look) => {
      this.look = look;
      return () => (this.look = () => {});
    },
  });

  pass(looks: number): void {
    for (let i = 0; i < looks; i++) this.look();
  }
}

describe('Memory of lanes that have nothing to do', () => {
  it('is left alone where nothing was ever spoken', () => {
    const scene = new Scene();
    scene.pass(10 * QUIET_LOOKS);
    expect(scene.released).to.equal(0);
  });

  it('is given back once after something was spoken, and once after the next', () => {
    const scene = new Scene();
    for (const times of [1, 2]) {
      scene.stats.batches += 3;
      scene.pass(QUIET_LOOKS);
      expect(scene.released).to.equal(times - 1);
      scene.pass(10 * QUIET_LOOKS);
      expect(scene.released).to.equal(times);
    }
  });

  it('is not while lanes work, rows wait, or rows were spoken between two looks', () => {
    const scene = new Scene();
    scene.stats.batches = 1;
    for (const busy of ['busy', 'waiting'] as const) {
      scene.stats[busy] = 1;
      scene.pass(10 * QUIET_LOOKS);
      scene.stats[busy] = 0;
    }
    for (let i = 0; i < 10; i++) {
      scene.pass(QUIET_LOOKS - 1);
      scene.stats.batches += 1;
    }
    expect(scene.released).to.equal(0);
    scene.pass(QUIET_LOOKS + 1);
    expect(scene.released).to.equal(1);
  });

  it('is nobody’s business any more once it is closed', () => {
    const scene = new Scene();
    scene.stats.batches = 1;
    scene.release.close();
    scene.pass(10 * QUIET_LOOKS);
    expect(scene.released).to.equal(0);
  });
});
