import { rm } from 'node:fs/promises';
import { expect } from 'chai';
import { readSettings } from '../../src/config.js';
import { isLantangError } from '../../src/errors.js';
import { openLog } from '../../src/log.js';
import type { SpeakOptions, Speech, SpeechRequest } from '../../src/speech/speech.js';
import { openStudio, type Studio } from '../../src/studio.js';
import { makeDataDir } from '../prepared-folder.js';

const TEXT = 'The wind was loud. Nobody heard her sing, and nobody asked.';

describe('The speaker', function () {
  this.timeout(120_000);
  let studio: Studio;
  let dataDir: string;

  before(async () => {
    dataDir = await makeDataDir();
    studio = await openStudio(readSettings({ dataDir, segmentCache: 'off' }), openLog('silent'));
  });

  after(async () => {
    await studio.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  function begin(changes: Partial<SpeechRequest>, options: Partial<SpeakOptions> = {}): Speech {
    return studio.speaker.speak(
      {
        input: { kind: 'text', content: TEXT },
        model: 'nadia',
        ...{ pitch: 0, tempo: 1, seed: 7 },
        format: 'pcm',
        sampleRate: 24000,
        ...changes,
      },
      { priority: 'batch', user: 'test', streaming: false, ...options },
    );
  }

  async function speak(changes: Partial<SpeechRequest> = {}, options: Partial<SpeakOptions> = {}) {
    const speech = begin(changes, options);
    const pieces: Buffer[] = [];
    for await (const piece of speech.bytes) pieces.push(piece);
    return { bytes: Buffer.concat(pieces), result: await speech.result, pieces: pieces.length };
  }

  it('tells the duration of the very samples that it gives', async () => {
    const { bytes, result } = await speak();
    expect(result.duration).to.equal(bytes.length / 2 / 24000);
    expect(result.duration).to.be.within(2, 8);
  });

  it('says the same for the same request', async () => {
    const [once, again] = await Promise.all([speak(), speak()]);
    expect(once.bytes.equals(again.bytes)).to.equal(true);
  });

  it('places sentences and words in order, inside the audio, and words inside their text', async () => {
    const { result } = await speak();
    expect(result.sentences.map(({ text }) => text.trim())).to.deep.equal([
      'The wind was loud.',
      'Nobody heard her sing, and nobody asked.',
    ]);
    const words = result.words.map(({ offset, length }) => TEXT.slice(offset, offset + length));
    expect(words.join(' ').toLowerCase()).to.contain('wind').and.contain('sing').and.contain('asked');
    const times = result.words.flatMap(({ start, end }) => [start, end]);
    expect(times).to.deep.equal(times.toSorted((a, b) => a - b));
    expect(times.at(-1)).to.be.at.most(result.duration);
  });

  it('is quicker or slower by tempo, and keeps its length when the pitch changes', async () => {
    const [plain, fast, high] = await Promise.all([speak(), speak({ tempo: 2 }), speak({ pitch: 4 })]);
    expect(fast.result.duration / plain.result.duration).to.be.within(0.4, 0.65);
    expect(high.result.duration).to.equal(plain.result.duration);
    expect(high.bytes.equals(plain.bytes)).to.equal(false);
  });

  it('streams the same words, the first of them before the last are spoken', async () => {
    let progressAtFirst = Infinity;
    let segments = 0;
    const speech = begin(
      { input: { kind: 'text', content: `${TEXT} `.repeat(20) } },
      {
        priority: 'interactive',
        streaming: true,
        onProgress: (progress) => (segments = progress.segments),
      },
    );
    for await (const piece of speech.bytes) {
      if (piece.length > 0) progressAtFirst = Math.min(progressAtFirst, segments);
    }
    expect(progressAtFirst).to.be.lessThan(segments);
    expect((await speech.result).sentences).to.have.length(40);
  });

  it('refuses a model that is not there before anything is opened', () => {
    const refused = () => begin({ model: 'nobody' });
    expect(refused).to.throw().with.property('code', 'voice_not_found');
  });

  it('tells through bytes and result alike that nothing can be spoken', async () => {
    const speech = begin({ input: { kind: 'text', content: ' \n ' }, format: 'mp3' });
    const failures: unknown[] = [];
    try {
      for await (const piece of speech.bytes)
        expect.fail(`There is nothing to give, but ${piece.length} bytes came.`);
    } catch (error) {
      failures.push(error);
    }
    await speech.result.catch((error: unknown) => failures.push(error));
    expect(failures.map((error) => isLantangError(error, 'nothing_to_speak'))).to.deep.equal([true, true]);
  });

  it('stops when nobody wants the rest, and leaves the lanes free', async () => {
    const stop = new AbortController();
    const spoken = speak(
      { input: { kind: 'text', content: `${TEXT} `.repeat(60) } },
      { signal: stop.signal, onProgress: () => stop.abort() },
    );
    const outcome = await spoken.then(
      () => 'spoken',
      (error: Error) => error.name,
    );
    expect(outcome).to.equal('AbortError');
    expect(studio.synthesizer.stats().waiting).to.equal(0);
    await speak();
  });

  it('is fair: a short text of another user does not wait for a long one', async () => {
    let longSegments = 0;
    const long = speak(
      { input: { kind: 'text', content: `${TEXT} `.repeat(60) } },
      { user: 'long', onProgress: ({ segments }) => (longSegments = segments) },
    );
    const longAtShortsEnd = await speak({}, { user: 'short' }).then(() => longSegments);
    await long;
    expect(longAtShortsEnd).to.be.lessThan(longSegments / 2);
  });

  it('speaks into every format', async () => {
    for (const format of ['opus', 'mp3', 'wav', 'ogg', 'flac', 'aac'] as const) {
      const { bytes, result } = await speak({ format, sampleRate: 48000 });
      expect(bytes.length, format).to.be.greaterThan(2000);
      expect(result, format).to.include({ format, sampleRate: 48000, channels: 1 });
    }
  });
});
