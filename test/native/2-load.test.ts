import { closeSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { AddonVoice, LoadRequest } from '../../src/inference/binding.js';
import { errorOf, openAddon } from './addon.js';
import { EMBEDDED_VOICES, publishedEnglish } from './published-voice.js';
import { smallGraph, smallManifest, suiteFolder, writeSmallVoice } from './small-voice.js';
import { encodeModel } from './onnx-graph.js';

const folder = suiteFolder();
const cpu = { provider: 'cpu' } as const;

/** Loads what is not of the right type as far as TypeScript knows. */
function load(request: unknown): AddonVoice {
  return openAddon().load(request as LoadRequest);
}

/** Loads a folder whose model file holds these bytes. */
function loadBytes(bytes: Uint8Array | string): AddonVoice {
  const directory = writeSmallVoice(folder());
  writeFileSync(join(directory, 'small.onnx'), bytes);
  return load({ directory, manifest: smallManifest(), device: cpu });
}

describe('native: loading a voice', () => {
  it('tells what it opened', () => {
    const voice = load({
      directory: EMBEDDED_VOICES,
      manifest: publishedEnglish(),
      device: cpu,
    });
    const info = voice.info();
    expect(info).to.include({ provider: 'cpu', stages: 1, users: 1 });
    expect(info.loadMilliseconds).to.be.greaterThan(0);
    voice.close();
  });

  it('answers closed after close, however often it is called', () => {
    const voice = load({ directory: writeSmallVoice(folder()), manifest: smallManifest(), device: cpu });
    voice.close();
    voice.close();
    for (const work of [() => voice.info(), () => voice.synthesize([])]) errorOf('closed', work);
  });

  it('does not let anybody construct its classes', () => {
    const voice = load({ directory: writeSmallVoice(folder()), manifest: smallManifest(), device: cpu });
    const Voice = voice.constructor as new (...arguments_: unknown[]) => unknown;
    for (const arguments_ of [[], [{}], [1]]) errorOf('invalid_argument', () => new Voice(...arguments_));
    voice.close();
  });
});

describe('native: files that are no models', () => {
  const load = loadBytes;

  it('answers model_not_found where there is no file', () => {
    const request = { directory: folder(), manifest: smallManifest(), device: cpu };
    const error = errorOf('model_not_found', () => openAddon().load(request));
    expect(error.message).to.equal('small.onnx does not exist.');
  });

  it('answers model_invalid for an empty file, a text file and noise', () => {
    const noise = Uint8Array.from({ length: 4096 }, (_, i) => (i * 2654435761) >>> 24);
    for (const bytes of ['', 'This is a text, not a model.\n', noise]) {
      const error = errorOf('model_invalid', () => load(bytes));
      expect(error.message).to.match(/^small\.onnx /);
      expect(error.message).not.to.contain(folder());
    }
  });

  it('answers model_invalid for a model cut anywhere', () => {
    const whole = encodeModel(smallGraph());
    for (let length = 1; length < whole.length; length += 7) {
      errorOf('model_invalid', () => load(whole.subarray(0, length)));
    }
  });

  it('answers model_invalid for a real voice cut in half', () => {
    const published = readFileSync(join(EMBEDDED_VOICES, 'english.onnx'));
    errorOf('model_invalid', () => load(published.subarray(0, published.length / 2)));
  });

  it('answers model_invalid for every single damaged byte of a model, or loads it', () => {
    const whole = encodeModel(smallGraph());
    let refused = 0;
    for (let at = 0; at < whole.length; at++) {
      const damaged = Uint8Array.from(whole);
      damaged[at] = 0xff - (damaged[at] ?? 0);
      try {
        load(damaged).close();
      } catch (error) {
        expect(error, `byte ${at}`).to.have.property('code', 'model_invalid');
        refused++;
      }
    }
    expect(refused).to.be.greaterThan(whole.length / 2);
  });

  it('answers model_invalid for a file of several GB without reading it', () => {
    const directory = writeSmallVoice(folder());
    const file = openSync(join(directory, 'small.onnx'), 'w');
    ftruncateSync(file, 6 * 2 ** 30);
    closeSync(file);
    const before = process.memoryUsage().rss;
    const error = errorOf('model_invalid', () =>
      openAddon().load({ directory, manifest: smallManifest(), device: cpu }),
    );
    expect(error.message).to.contain('2 GiB');
    expect(process.memoryUsage().rss - before).to.be.lessThan(200e6);
  });

  it('answers model_invalid for a folder under the name of a model', () => {
    const directory = join(folder(), 'odd');
    mkdirSync(join(directory, 'small.onnx'), { recursive: true });
    errorOf('model_invalid', () => openAddon().load({ directory, manifest: smallManifest(), device: cpu }));
  });
});

describe('native: manifests that do not fit', () => {
  const stage = { file: 'small.onnx', inputs: ['ids', 'lengths', 'scales'], outputs: ['durations', 'audio'] };
  const tensors = smallManifest().tensors;

  for (const [what, changes, complaint] of [
    [
      'an input that the model does not have',
      {
        stages: [{ ...stage, inputs: [...stage.inputs, 'noise'] }],
        noise: [{ name: 'noise', channels: 1, length: 'ids' }],
      },
      'no input "noise"',
    ],
    [
      'an input that nothing gives',
      { stages: [{ ...stage, inputs: [...stage.inputs, 'style'] }] },
      'nothing before it gives its input "style"',
    ],
    [
      'too few inputs',
      { stages: [{ ...stage, inputs: ['ids', 'lengths'] }] },
      'also wants an input "scales"',
    ],
    [
      'an output that the model does not have',
      { stages: [{ ...stage, outputs: [...stage.outputs, 'marks'] }] },
      'no output "marks"',
    ],
    [
      'durations that no stage gives',
      { tensors: { ...tensors, durations: 'frames' } },
      'no stage gives "frames"',
    ],
    [
      'audio that the last stage does not give',
      { tensors: { ...tensors, audio: 'sound' } },
      'must give the audio',
    ],
    [
      'ids of the wrong type',
      { tensors: { ...tensors, ids: 'lengths', lengths: 'scales', scales: 'ids' } },
      'must be',
    ],
  ] as const) {
    it(`answers model_invalid for ${what}`, () => {
      const directory = writeSmallVoice(folder());
      const error = errorOf('model_invalid', () =>
        load({ directory, manifest: { ...smallManifest(), ...changes }, device: cpu }),
      );
      expect(error.message).to.contain(complaint);
    });
  }

  for (const [path, changes] of [
    ['request.manifest.hop', { hop: 0 }],
    ['request.manifest.numSymbols', { numSymbols: 1.5 }],
    ['request.manifest.maxIds', { maxIds: NaN }],
    ['request.manifest.stages', { stages: [] }],
    ['request.manifest.stages[0].file', { stages: [{ ...stage, file: '../small.onnx' }] }],
    ['request.manifest.stages[0].inputs[1]', { stages: [{ ...stage, inputs: ['ids', 7] }] }],
    ['request.manifest.noise[0].length', { noise: [{ name: 'noise', channels: 1, length: 'samples' }] }],
    ['request.manifest.tensors.audio', { tensors: { ...tensors, audio: null } }],
    [
      'request.manifest.tensors',
      { tensors: { ...tensors, latent: 'latent', durations: null }, batchable: false },
    ],
    ['request.manifest.batchable', { tensors: { ...tensors, durations: null } }],
    ['request.manifest.perRowScales', { perRowScales: 'yes' }],
  ] as const) {
    it(`names ${path} when it is malformed`, () => {
      const request = { directory: folder(), manifest: { ...smallManifest(), ...changes }, device: cpu };
      expect(errorOf('invalid_argument', () => load(request)).message).to.match(
        new RegExp(`^${path.replace(/[.[\]]/g, '\\$&')}: `),
      );
    });
  }

  it('names what else of the request is malformed', () => {
    const whole = { directory: folder(), manifest: smallManifest(), device: cpu };
    for (const [path, changes] of [
      ['request.directory', { directory: 3 }],
      ['request.manifest', { manifest: null }],
      ['request.device', { device: 'cpu' }],
      ['request.device.provider', { device: { provider: 'tpu' } }],
      ['request.device.deviceId', { device: { provider: 'cuda', deviceId: -1 } }],
      ['request.lane', { lane: 0.5 }],
      ['request.rowsPerRun', { rowsPerRun: 0 }],
    ] as const) {
      expect(errorOf('invalid_argument', () => load({ ...whole, ...changes })).message).to.contain(
        `${path}: `,
      );
    }
    errorOf('invalid_argument', () => load(undefined));
  });
});

describe('native: devices', () => {
  it('answers device_unavailable, with the reason, for a device that this machine does not have', () => {
    const directory = writeSmallVoice(folder());
    const device = { provider: 'cuda', deviceId: 1000 } as const;
    const error = errorOf('device_unavailable', () => load({ directory, manifest: smallManifest(), device }));
    expect(error.message).to.match(/^The cuda provider cannot be opened: \w/);
    expect(error.message).not.to.match(/\.cc:|ONNXRuntimeError/);
  });
});
