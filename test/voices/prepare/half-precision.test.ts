import { expect } from 'chai';
import { join } from 'node:path';
import { manifestOn } from '../../../src/voices/manifest.js';
import { makeNode } from '../../../src/voices/prepare/onnx/build.js';
import type { Graph } from '../../../src/voices/prepare/onnx/model.js';
import { inHalfPrecision, toHalf } from '../../../src/voices/prepare/half-precision.js';
import { audioOf, openAddon, row } from '../../native/addon.js';
import { requireVoice } from '../../native/published-voice.js';
import { idsOf, SENTENCES } from '../sentences.js';
import { temporaryFolder } from '../../temporary-folder.js';
import { JOE, prepareInto, type PreparedVoice } from '../prepared-voices.js';
import { melDistance } from './mel-distance.js';
import { toyGraph, writeToyVoice } from './toy-voice.js';

/** The number that 16 bits stand for, by the definition of IEEE 754 binary16. */
function fromHalf(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const [exponent, fraction] = [(half >> 10) & 31, half & 1023];
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

describe('A number in half precision', () => {
  const FINITE = Array.from({ length: 0x7c00 }, (_, half) => half);

  it('is itself where it is one', () => {
    for (const half of FINITE) {
      for (const signed of [half, half | 0x8000]) {
        if (toHalf(fromHalf(signed)) !== signed && half !== 0) expect.fail(`${fromHalf(signed)} is not kept`);
      }
    }
  });

  it('is the nearest one, and of two equally near ones the even', () => {
    for (const half of FINITE.slice(0, -1)) {
      const [low, high] = [fromHalf(half), fromHalf(half + 1)];
      const middle = (low + high) / 2;
      const even = half % 2 === 0 ? half : half + 1;
      const near = [low + (high - low) * 0.49, middle, low + (high - low) * 0.51].map(toHalf);
      if (near[0] !== half || near[1] !== even || near[2] !== half + 1)
        expect.fail(`between ${low} and ${high}`);
    }
  });

  it('is the largest one where it is larger', () => {
    expect([1e6, Infinity, -Infinity].map((value) => fromHalf(toHalf(value)))).to.deep.equal([
      65504, 65504, -65504,
    ]);
  });
});

describe('A vocoder in half precision', function () {
  this.timeout(180_000);
  const addon = openAddon();

  it('is none where its operators would drift', () => {
    const graph = toyGraph();
    expect(inHalfPrecision(graph)).to.equal(undefined);
    const sum: Graph = { ...graph, nodes: [makeNode('CumSum', ['x', 'axis'], 'y')] };
    expect(inHalfPrecision(sum)).to.equal(undefined);
  });

  for (const name of ['toy', 'joe']) {
    it(`keeps durations, and sounds like the other: ${name}`, async function () {
      const scratch = temporaryFolder();
      const toy = () => writeToyVoice(join(scratch.path, 'voices'), 'toy');
      const voice = await prepareInto(scratch, name === 'toy' ? toy() : requireVoice(this, JOE), addon);
      // The toy speaks so fast that there would be nothing to hear.
      const lengthScale = name === 'toy' ? 8 : 1;
      const rows = SENTENCES.slice(0, 2).map((sentence) =>
        row(idsOf(voice.published.text, sentence), { lengthScale }),
      );
      const [whole, half] = [voice, halfOf(voice)].map(({ directory, manifest }) => {
        const opened = addon.load({ directory, manifest, device: { provider: 'cpu' } });
        const audio = audioOf(opened, rows);
        opened.close();
        return audio;
      });
      whole!.forEach(({ samples, durations }, index) => {
        expect(half![index]!.durations).to.deep.equal(durations);
        const distance = melDistance(half![index]!.samples, samples, voice.manifest.sampleRate);
        expect(distance).to.be.within(0.0001, 1);
      });
      scratch.clean();
    });
  }

  it('is prepared beside the other, for GPUs that are asked for it', async () => {
    const scratch = temporaryFolder();
    const voice = await prepareInto(scratch, writeToyVoice(join(scratch.path, 'voices'), 'toy'), addon);
    const { manifest } = voice;
    const vocoderOn = (provider: string, halfPrecision = false) =>
      manifestOn(provider, manifest, { halfPrecision }).stages.at(-1)!.file;
    expect(vocoderOn('cuda', true)).to.equal('vocoder.half.onnx');
    expect(vocoderOn('cuda')).to.equal('vocoder.onnx');
    expect(vocoderOn('cpu', true)).not.to.equal('vocoder.half.onnx');
    expect(manifestOn('cuda', manifest, { halfPrecision: true }).stages.slice(0, -1)).to.deep.equal(
      manifest.stages.slice(0, -1),
    );
    scratch.clean();
  });

  /** The voice as a GPU in half precision would run it. */
  function halfOf(voice: PreparedVoice): PreparedVoice {
    return { ...voice, manifest: manifestOn('cuda', voice.manifest, { halfPrecision: true }) };
  }
});

describe('The mel distance', () => {
  const noise = Float32Array.from({ length: 8192 }, (_, i) => 0.3 * Math.sin(i * i * 0.37));

  it('is nothing between equals, and about the level between a sound and itself at half of it', () => {
    expect(melDistance(noise, noise, 22050)).to.equal(0);
    const softer = noise.map((sample) => sample / 2);
    expect(melDistance(softer, noise, 22050)).to.be.closeTo(20 * Math.log10(2), 0.01);
  });
});
