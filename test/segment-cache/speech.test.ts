import { rm } from 'node:fs/promises';
import { expect } from 'chai';
import { readSettings, type Overrides } from '../../src/config.js';
import { openLog } from '../../src/log.js';
import type { SpeechRequest } from '../../src/speech/speech.js';
import { openStudio, type Studio } from '../../src/studio.js';
import { makeDataDir } from '../prepared-folder.js';

const TEXT =
  'Welcome back, Ana. Please hold the line. Please hold the line. Somebody will be with you shortly!';

describe('Speech out of the segment cache', function () {
  this.timeout(120_000);
  let dataDir: string;
  const studios: Studio[] = [];

  before(async () => (dataDir = await makeDataDir()));
  after(() => rm(dataDir, { recursive: true, force: true }));
  afterEach(async () => {
    for (const studio of studios.splice(0)) await studio.close();
  });

  async function open(overrides: Overrides = {}): Promise<Studio> {
    const studio = await openStudio(readSettings({ dataDir, ...overrides }), openLog('silent'));
    studios.push(studio);
    return studio;
  }

  async function speak({ speaker }: Studio, changes: Partial<SpeechRequest> = {}, streaming = false) {
    const speech = speaker.speak(
      {
        input: { kind: 'text', content: TEXT },
        model: 'nadia',
        ...{ pitch: 0, tempo: 1, seed: 3, format: 'wav', sampleRate: 48000 },
        ...changes,
      },
      { priority: 'interactive', user: 'ana', streaming },
    );
    const bytes: Buffer[] = [];
    for await (const piece of speech.bytes) bytes.push(piece);
    const { duration, sentences, words } = await speech.result;
    return { bytes: Buffer.concat(bytes).toString('base64'), duration, sentences, words };
  }

  it('is the speech itself, to the last byte, whole and streamed', async () => {
    const [plain, caching] = [await open({ segmentCache: 'off' }), await open()];
    for (const streaming of [false, true]) {
      const fresh = await speak(plain, {}, streaming);
      for (let round = 0; round < 2; round++) {
        expect(await speak(caching, {}, streaming)).to.deep.equal(fresh);
      }
    }
    expect(plain.cache).to.equal(undefined);
    expect(caching.cache!.stats().answers.memory).to.be.greaterThan(4);
  });

  it('has the pitch of each request, and its own tempo and seed', async () => {
    const [plain, caching] = [await open({ segmentCache: 'off' }), await open()];
    await speak(caching);
    for (const changes of [{ pitch: 3 }, { tempo: 1.3 }, { seed: 4 }]) {
      expect(await speak(caching, changes)).to.deep.equal(await speak(plain, changes));
    }
  });

  it('survives a restart, and speaks without a lane then', async () => {
    const before = await open();
    const spoken = await speak(before);
    await speak(before);
    await before.close();
    const again = await open();
    expect(await speak(again)).to.deep.equal(spoken);
    expect(again.synthesizer.stats().rows).to.equal(0);
  });
});
