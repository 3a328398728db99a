import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import type { AddonVoice, LoadRequest } from '../../src/inference/binding.js';
import { audioOf, errorOf, openAddon, row } from './addon.js';
import type { Command } from './lane-thread.js';
import { EMBEDDED_VOICES, publishedEnglish } from './published-voice.js';
import { largestDifference } from './signal.js';
import { suiteFolder } from './small-voice.js';
import { windowedManifest, writeWindowedVoice } from './windowed-voice.js';

const folder = suiteFolder();
const IDS = [1, ...Array.from({ length: 20 }, (_, i) => [0, 14 + ((i * 7) % 30)]).flat(), 0, 2];

/** A thread that loads the voice and then does as it is told, one command at a time. */
class Lane {
  private readonly worker: Worker;

  constructor(request: LoadRequest) {
    this.worker = new Worker(new URL('lane-thread.js', import.meta.url), { workerData: request });
  }

  async ready(): Promise<this> {
    await once(this.worker, 'message');
    return this;
  }

  async ask(command: Command): Promise<unknown> {
    this.worker.postMessage(command);
    const [answer] = (await once(this.worker, 'message')) as unknown[];
    return answer;
  }

  /** Tells it without waiting for the answer. */
  tell(command: Command): void {
    this.worker.postMessage(command);
  }

  async end(): Promise<void> {
    await this.worker.terminate();
  }
}

describe('native: sharing between threads', () => {
  const request: LoadRequest = {
    directory: EMBEDDED_VOICES,
    manifest: publishedEnglish(),
    device: { provider: 'cpu' },
  };
  let voice: AddonVoice;

  beforeEach(() => (voice = openAddon().load(request)));
  afterEach(() => voice.close());

  it('gives one set of sessions to all who ask for the same voice, and counts them', () => {
    const again = openAddon().load(request);
    expect(voice.info().users).to.equal(2);
    expect(again.info().loadMilliseconds).to.equal(voice.info().loadMilliseconds);
    again.close();
    expect(voice.info().users).to.equal(1);
  });

  it('loads another set for another number of rows a run', () => {
    const other = openAddon().load({ ...request, rowsPerRun: 2 });
    expect(voice.info().users).to.equal(1);
    other.close();
  });

  it('frees the sessions with their last user: the next one loads anew', () => {
    const { loadMilliseconds } = voice.info();
    voice.close();
    voice = openAddon().load(request);
    expect(voice.info().loadMilliseconds).not.to.equal(loadMilliseconds);
  });

  it('serves worker threads with the sessions of this one, all at once', async () => {
    const lanes = await Promise.all(
      [new Lane(request), new Lane(request), new Lane(request)].map((lane) => lane.ready()),
    );
    try {
      expect(await lanes[0]!.ask({ verb: 'users' })).to.equal(4);
      const expected = audioOf(voice, [row(IDS, { noiseScale: 0 })])[0]!.samples;
      const spoken = (await Promise.all(
        lanes.map((lane) => lane.ask({ verb: 'speak', ids: IDS })),
      )) as Float32Array[];
      for (const samples of spoken) expect(largestDifference(samples, expected)).to.equal(0);
      await lanes[0]!.ask({ verb: 'close' });
      expect(voice.info().users).to.equal(3);
    } finally {
      await Promise.all(lanes.map((lane) => lane.end()));
    }
    expect(voice.info().users).to.equal(1);
  });

  it('takes back what a thread left open when it ended', async () => {
    const lane = await new Lane(request).ready();
    expect(voice.info().users).to.equal(2);
    await lane.end();
    expect(voice.info().users).to.equal(1);
  });

  it('outlives the thread that loaded it first', async () => {
    voice.close();
    const lane = await new Lane(request).ready();
    voice = openAddon().load(request);
    await lane.end();
    expect(voice.info().users).to.equal(1);
    expect(audioOf(voice, [row(IDS)])).to.have.length(1);
  });

  it('survives a thread that is ended while it speaks', async () => {
    const lane = await new Lane(request).ready();
    lane.tell({ verb: 'speak', ids: new Array<number>(5000).fill(20) });
    await lane.end();
    expect(voice.info().users).to.equal(1);
    expect(audioOf(voice, [row(IDS)])).to.have.length(1);
  });
});

describe('native: closing streams', () => {
  const load = () =>
    openAddon().load({
      directory: writeWindowedVoice(folder()),
      manifest: windowedManifest,
      device: { provider: 'cpu' },
    });
  const windows = { firstFrames: 2, windowFrames: 2 };

  it('ends a stream by itself', () => {
    const voice = load();
    const stream = voice.stream(row([1, 2, 3, 4, 5]), windows);
    expect(stream.next()).to.have.length(8);
    stream.close();
    stream.close();
    errorOf('closed', () => stream.next());
    voice.close();
  });

  it('ends the streams of a voice with it', () => {
    const voice = load();
    const stream = voice.stream(row([1, 2, 3, 4, 5]), windows);
    stream.next();
    voice.close();
    errorOf('closed', () => stream.next());
  });

  it('names what is wrong with the windows', () => {
    const voice = load();
    for (const wrong of [
      undefined,
      {},
      { firstFrames: 0, windowFrames: 1 },
      { firstFrames: 1, windowFrames: 1.5 },
    ]) {
      const error = errorOf('invalid_argument', () => voice.stream(row([1]), wrong as typeof windows));
      expect(error.message).to.match(/^windows/);
    }
    voice.close();
  });
});
