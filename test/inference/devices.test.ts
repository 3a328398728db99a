import { expect } from 'chai';
import { availableParallelism } from 'node:os';
import { chooseDevices, parseDevices } from '../../src/inference/devices.js';

const CPU = { provider: 'cpu', intraOpThreads: 1 };

describe('Devices as they are configured', () => {
  const spellings: [string, unknown, number][] = [
    ['cpu', CPU, availableParallelism()],
    ['cpu:3', CPU, 3],
    ['cuda', { provider: 'cuda', deviceId: 0 }, 1],
    ['cuda:1', { provider: 'cuda', deviceId: 1 }, 1],
    ['cuda:0x2', { provider: 'cuda', deviceId: 0 }, 2],
    ['cuda:0+fp16', { provider: 'cuda', deviceId: 0, halfPrecision: true }, 1],
    ['cuda:1x2+fp16', { provider: 'cuda', deviceId: 1, halfPrecision: true }, 2],
    ['cuda:0+graphs', { provider: 'cuda', deviceId: 0, graphs: true }, 1],
    [
      'cuda:0x3+fp16+cpu-encoder',
      { provider: 'cuda', deviceId: 0, halfPrecision: true, encoderOnCpu: true },
      3,
    ],
    ['webgpu:0', { provider: 'webgpu', deviceId: 0 }, 1],
  ];
  for (const [name, device, lanes] of spellings) {
    it(`are lanes: ${name}`, () => {
      expect(parseDevices([name])).to.deep.equal([{ device, lanes }]);
    });
  }

  it('that record CUDA’s runs have one CUDA lane between them', () => {
    for (const names of [
      ['cuda:0x2+graphs'],
      ['cuda:0+graphs', 'cuda:1'],
      ['cuda:0+graphs', 'cuda:0+graphs'],
    ]) {
      expect(() => parseDevices(names))
        .to.throw('one lane alone')
        .with.property('code', 'configuration_invalid');
    }
    expect(parseDevices(['cuda:0+graphs', 'cpu:2'])).to.have.length(2);
  });

  it('can be several', () => {
    expect(parseDevices(['cuda:0x2', 'cuda:1']).map(({ lanes }) => lanes)).to.deep.equal([2, 1]);
  });

  for (const name of [
    'gpu',
    'cpu:0',
    'cuda:0x0',
    'cuda:-1',
    'cuda:x2y',
    'cpu:2x2',
    'cpu+fp16',
    'webgpu:0+fp16',
    'cuda:0+fp8',
    'cuda:0+',
    'cpu+graphs',
    '',
    'auto,cpu',
    'cuda:1 ',
    'webgpu:1',
    'webgpu:0x2',
  ]) {
    it(`are refused by name: "${name}"`, () => {
      expect(() => parseDevices([name]))
        .to.throw(`"${name}"`)
        .with.property('code', 'configuration_invalid');
    });
  }

  it('name WebGPU once: its sessions cannot be used by two threads', () => {
    expect(() => parseDevices(['webgpu', 'cpu', 'webgpu:0'])).to.throw('"webgpu:0"');
  });
});

describe('Automatic devices', () => {
  it('are the first GPU where it really opens', () => {
    const chosen = chooseDevices(['auto'], ['CUDAExecutionProvider', 'CPUExecutionProvider'], () => true);
    expect(chosen).to.deep.equal([{ device: { provider: 'cuda', deviceId: 0 }, lanes: 1 }]);
  });

  it('are a lane per core where the runtime only lists one', () => {
    const chosen = chooseDevices(['auto'], ['CUDAExecutionProvider', 'CPUExecutionProvider'], () => false);
    expect(chosen).to.deep.equal([{ device: CPU, lanes: availableParallelism() }]);
  });

  it('ask nothing to open where a device is named', () => {
    const opens = () => expect.fail('nothing should be opened');
    expect(chooseDevices(['cuda:0'], ['CPUExecutionProvider'], opens)).to.have.length(1);
  });
});
