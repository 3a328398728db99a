import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { readModel, writeModel, type Model } from '../../../../src/voices/prepare/onnx/model.js';
import { ENGLISH } from '../../prepared-voices.js';

describe('An ONNX file', () => {
  const bytes = readFileSync(ENGLISH);

  it('is read by its fields', () => {
    const { graph, opsets } = readModel(bytes);
    expect(opsets.map(({ domain, version }) => [domain, version])).to.deep.equal([['', 17n]]);
    expect(graph.inputs.map(({ name }) => name)).to.deep.equal(['input', 'input_lengths', 'scales', 'sid']);
    expect(graph.nodes.filter(({ operator }) => operator === 'Ceil')).to.have.length(1);
    const [scales] = graph.inputs.filter(({ name }) => name === 'scales');
    expect(scales?.type?.tensor?.shape?.dims.map(({ value }) => value)).to.deep.equal([3n]);
  });

  it('is written back with everything that was in it', () => {
    const written = writeModel(readModel(bytes));
    expect(written.length).to.equal(bytes.length);
    expect(readModel(written)).to.deep.equal(readModel(bytes));
  });

  it('keeps fields that the tables do not name', () => {
    // Field 14, metadata_props, of ModelProto: { key: "k", value: "v" }.
    const extra = Uint8Array.from([0x72, 6, 0x0a, 1, 0x6b, 0x12, 1, 0x76]);
    const written = writeModel(readModel(Buffer.concat([bytes, extra])));
    expect(Buffer.from(written).includes(Buffer.from(extra))).to.equal(true);
  });

  it('keeps whole numbers beyond 2^53 and below zero', () => {
    const model = readModel(bytes);
    const ints = [9223372036854775807n, -9223372036854775808n, -1n, 0n];
    const attribute = { name: 'ends', type: 7, ints, floats: [] };
    const node = { ...model.graph.nodes[0]!, attributes: [attribute] };
    const changed: Model = { ...model, graph: { ...model.graph, nodes: [node] } };
    expect(readModel(writeModel(changed)).graph.nodes[0]!.attributes[0]!.ints).to.deep.equal(ints);
  });

  const damaged: [string, Uint8Array][] = [
    ['nothing', new Uint8Array()],
    ['a text', Buffer.from('This is no model.')],
    ['half a file', bytes.subarray(0, bytes.length / 2)],
    ['zeros', new Uint8Array(1000)],
    ['a field that runs past the end', Uint8Array.from([0x3a, 0xff, 0xff, 0xff, 0xff, 0x07])],
    ['a number where a message is due', Uint8Array.from([0x38, 1])],
  ];
  for (const [what, content] of damaged) {
    it(`is refused when it is ${what}`, () => {
      expect(() => readModel(content))
        .to.throw()
        .with.property('code', 'voice_invalid');
    });
  }
});
