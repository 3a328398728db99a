import { expect } from 'chai';
import { engineIdentity, SegmentKeys } from '../../src/segment-cache/segment-key.js';
import type { Voice } from '../../src/voices/voice.js';
import type { Row } from '../../src/inference/binding.js';
import { publishedEnglish } from '../native/published-voice.js';
import { row } from '../native/addon.js';

const VOICE: Voice = {
  ...{ name: 'nadia', sha256: 'ab', directory: '/voices/nadia', sampleRate: 24000, gain: 1, models: [] },
  manifest: publishedEnglish(),
  text: {
    ...{ espeakVoice: 'en-us', language: 'en-US', phonemeType: 'espeak', maxIds: 500 },
    idMap: new Map(),
  },
  scales: { noiseScale: 0.667, lengthScale: 1, noiseW: 0.8 },
};
const ROW = row([1, 0, 8, 0, 2]);
const shared = () => '';

describe('The key of a segment', () => {
  const keys = new SegmentKeys('engine', shared);
  const keyOf = (changes: Partial<Row> = {}, voice = VOICE) => keys.of(voice, { ...ROW, ...changes }, 'ana');

  it('is the same for the same row, whoever asks and however often the voice was read', () => {
    expect(keyOf({ ids: ROW.ids.slice() })).to.equal(keyOf());
    expect(keys.of(structuredClone(VOICE), ROW, 'bob')).to.equal(keyOf());
    expect(keyOf()).to.match(/^[0-9a-f]{64}$/);
  });

  it('is another for whatever changes the samples', () => {
    const others = [
      keyOf({ ids: Int32Array.of(1, 0, 9, 0, 2) }),
      keyOf({ ids: Int32Array.of(1, 0, 8, 0, 2, 2) }),
      ...[keyOf({ lengthScale: 1.0000001 }), keyOf({ noiseScale: 0.6 }), keyOf({ noiseW: 0.7 })],
      ...[keyOf({ speaker: 1 }), keyOf({ seed: 2 }), keyOf({ seed: 2 ** 53 - 1 })],
      keyOf({}, { ...VOICE, sha256: 'cd' }),
      keyOf({}, { ...VOICE, manifest: { ...VOICE.manifest, version: 2 } }),
      keyOf({}, { ...VOICE, manifest: { ...VOICE.manifest, rewrites: ['one that is faster here'] } }),
      new SegmentKeys('another engine', shared).of(VOICE, ROW, 'ana'),
    ];
    expect(new Set([keyOf(), ...others]).size).to.equal(others.length + 1);
  });

  it('does not depend on the seed where no noise is drawn', () => {
    const silent = { noiseScale: 0, noiseW: 0 };
    expect(keyOf({ ...silent, seed: 5 })).to.equal(keyOf({ ...silent, seed: 6 }));
    expect(keyOf({ noiseScale: 0, seed: 5 })).to.not.equal(keyOf({ noiseScale: 0, seed: 6 }));
    expect(keyOf({ noiseW: 0, seed: 5 })).to.not.equal(keyOf({ noiseW: 0, seed: 6 }));
  });

  it("is a user's own where nothing is shared", () => {
    const own = new SegmentKeys('engine', (user) => user);
    expect(own.of(VOICE, ROW, 'ana')).to.equal(own.of(VOICE, ROW, 'ana'));
    expect(own.of(VOICE, ROW, 'ana')).to.not.equal(own.of(VOICE, ROW, 'bob'));
  });

  it('tells engines apart by runtime and devices, not by how many lanes they have', () => {
    const cpu = { provider: 'cpu', intraOpThreads: 1 } as const;
    const cuda = { provider: 'cuda', deviceId: 0 } as const;
    const one = engineIdentity({ runtimeVersion: '1.21', devices: [cpu] });
    expect(engineIdentity({ runtimeVersion: '1.21', devices: [cpu, cpu] })).to.equal(one);
    const others = [
      engineIdentity({ runtimeVersion: '1.22', devices: [cpu] }),
      engineIdentity({ runtimeVersion: '1.21', devices: [cuda] }),
      engineIdentity({ runtimeVersion: '1.21', devices: [cpu, cuda] }),
    ];
    expect(new Set([one, ...others]).size).to.equal(4);
  });
});
