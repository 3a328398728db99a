import { expect } from 'chai';
import { existsSync, readFileSync } from 'node:fs';
import { VOCODER_SIZES, withVocoder } from '../../benchmarks/gpu/generated-vocoder.js';
import { writeGeneratedVoice } from '../../benchmarks/gpu/generated-voice.js';
import { readModel, type Graph, type Node } from '../../src/voices/prepare/onnx/model.js';
import { audioOf, openAddon, row } from '../native/addon.js';
import { rootMeanSquare } from '../native/signal.js';
import { readPiperVoice } from '../../src/voices/piper.js';
import { temporaryFolder } from '../temporary-folder.js';
import { JOE, openPublished } from '../voices/prepared-voices.js';
import { idsOf, SENTENCES } from '../voices/sentences.js';

describe(`A generated voice${existsSync(JOE) ? '' : ' (skipped: there is no en_US-joe-medium.onnx)'}`, function () {
  this.timeout(120_000);
  const scratch = temporaryFolder();
  let published: Graph;

  before(function () {
    if (!existsSync(JOE)) return this.skip();
    published = readModel(readFileSync(JOE)).graph;
  });
  after(() => scratch.clean());

  /** All that the cost of a vocoder depends on, node by node. */
  function costsOf(graph: Graph) {
    const dims = new Map(graph.initializers.map(({ name, dims }) => [name, dims.map(Number)]));
    const isVocoder = ({ name }: Node) => name.startsWith('/dec/');
    return graph.nodes.filter(isVocoder).map(({ name, operator, inputs, attributes }) => ({
      name,
      operator,
      weights: inputs.flatMap((input) => (dims.has(input) ? [dims.get(input)] : [])),
      settings: attributes.map(({ name, ints, int }) => [name, int ?? ints]),
    }));
  }

  it('of medium size has the vocoder that a published medium voice has, but for the weights', () => {
    const generated = withVocoder(published, VOCODER_SIZES.medium);
    const byName = <T extends { name: string }>(nodes: T[]) =>
      [...nodes].sort((a, b) => (a.name < b.name ? -1 : 1));
    expect(byName(costsOf(generated))).to.deep.equal(byName(costsOf(published)));
  });

  it('of high size has the weights of a published high voice', () => {
    const { initializers } = withVocoder(published, VOCODER_SIZES.high);
    const inVocoder = initializers.filter(({ name }) => name.startsWith('dec.'));
    const count = inVocoder.reduce(
      (sum, { dims }) => sum + dims.reduce((size, dim) => size * Number(dim), 1),
      0,
    );
    // HiFi-GAN V1 has 13.92 million (its paper, table 1) and takes 80 channels; a Piper vocoder takes 192.
    expect(count / 1e6).to.be.closeTo(13.92 + (512 * 7 * (192 - 80)) / 1e6, 0.01);
  });

  it('sounds, for as long as its text side says', async () => {
    const file = writeGeneratedVoice(JOE, scratch.path, 'high');
    const voice = await readPiperVoice(file);
    const engine = openPublished(openAddon(), { published: voice });
    const [spoken] = audioOf(engine, [row(idsOf(voice.text, SENTENCES[0]!))]);
    engine.close();
    expect(spoken!.samples.length / voice.sampleRate).to.be.within(0.3, 3);
    expect(rootMeanSquare(spoken!.samples)).to.be.within(0.01, 0.7);
  });
});
