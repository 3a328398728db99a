import { expect } from 'chai';
import { feedNoise } from '../../../src/voices/prepare/noise.js';
import {
  makeFloat,
  makeInt64Vector,
  makeNode,
  makeValueInfo,
} from '../../../src/voices/prepare/onnx/build.js';
import { DataType, type Graph, type Node } from '../../../src/voices/prepare/onnx/model.js';

/** Noise per id, of a shape that the graph puts together, and noise per frame, shaped like what the durations give. */
function graph(random: (input: string, output: string) => Node): Graph {
  return {
    name: 'noise',
    nodes: [
      makeNode('Concat', ['rows', 'two', 'ids'], 'shape'),
      makeNode('ConstantOfShape', ['shape'], 'zeros'),
      random('zeros', 'per_id'),
      makeNode('Ceil', ['per_id'], 'durations'),
      makeNode('Expand', ['durations', 'shape'], 'mean'),
      random('mean', 'per_frame'),
      makeNode('Add', ['mean', 'per_frame'], 'output'),
    ],
    initializers: [makeInt64Vector('two', [2])],
    inputs: ['rows', 'ids'].map((name) => makeValueInfo(name, DataType.INT64, [1])),
    outputs: [makeValueInfo('output', DataType.FLOAT)],
    values: [],
  };
}

describe('Noise as an input', () => {
  it('replaces every generator, with the channels and the length that it had', () => {
    const fed = feedNoise(
      graph((input, output) => makeNode('RandomNormalLike', [input], output)),
      'durations',
      192,
    );
    if ('lost' in fed) throw new Error(fed.lost);
    expect(fed.noise).to.deep.equal([
      { name: 'per_id', channels: 2, length: 'ids' },
      { name: 'per_frame', channels: 192, length: 'frames' },
    ]);
    expect(fed.graph.inputs.map(({ name }) => name)).to.deep.equal(['rows', 'ids', 'per_id', 'per_frame']);
    expect(fed.graph.nodes.filter(({ operator }) => operator.startsWith('Random'))).to.deep.equal([]);
  });

  it('keeps the deviation and mean that a generator has', () => {
    const random = (input: string, output: string) =>
      makeNode('RandomNormalLike', [input], output, [makeFloat('scale', 0.5), makeFloat('mean', 2)]);
    const fed = feedNoise(graph(random), 'durations', 192);
    if ('lost' in fed) throw new Error(fed.lost);
    expect(fed.noise.map(({ name }) => name)).to.deep.equal(['per_id/standard', 'per_frame/standard']);
    const added = fed.graph.nodes.filter(
      ({ outputs }) => outputs[0] === 'per_id' || outputs[0] === 'per_id/scaled',
    );
    expect(added.map(({ operator, inputs }) => [operator, ...inputs])).to.deep.equal([
      ['Mul', 'per_id/standard', 'per_id/deviation'],
      ['Add', 'per_id/scaled', 'per_id/mean'],
    ]);
  });

  it('is given up where it is per frame and nobody says of how many channels', () => {
    const fed = feedNoise(
      graph((input, output) => makeNode('RandomNormalLike', [input], output)),
      'durations',
    );
    expect(fed).to.have.property('lost').that.contains('channels');
  });

  it('is given up where noise comes from elsewhere', () => {
    const fed = feedNoise(
      graph((_, output) => makeNode('RandomNormal', [], output)),
      'durations',
      192,
    );
    expect(fed).to.have.property('lost');
  });
});
