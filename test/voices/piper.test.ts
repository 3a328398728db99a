import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LantangError } from '../../src/errors.js';
import { parsePiperVoice, readPiperVoice } from '../../src/voices/piper.js';

const FILE = '/voices/en_GB-alba-medium.onnx';

/** The least that Piper's own runtime would take, and what its voices say beyond it. */
function published(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    audio: { sample_rate: 22050, quality: 'medium' },
    espeak: { voice: 'en-gb-x-rp' },
    phoneme_type: 'espeak',
    phoneme_map: {},
    phoneme_id_map: { _: [0], '^': [1], $: [2], a: [14], ã: [15, 16] },
    num_symbols: 256,
    num_speakers: 1,
    speaker_id_map: {},
    inference: { noise_scale: 0.5, length_scale: 1.1, noise_w: 0.7 },
    language: { code: 'en_GB' },
    dataset: 'alba',
    ...changes,
  };
}

function errorOf(work: () => unknown): LantangError {
  try {
    work();
  } catch (error) {
    expect(error).to.be.instanceOf(LantangError);
    return error as LantangError;
  }
  throw new Error('Expected an error, got none.');
}

describe("A published voice's json", () => {
  it('becomes a voice', () => {
    const voice = parsePiperVoice(published(), FILE);
    expect(voice).to.include({ name: 'en_GB-alba-medium', sampleRate: 22050, hop: 256, numSymbols: 256 });
    expect(voice.scales).to.deep.equal({ noiseScale: 0.5, lengthScale: 1.1, noiseW: 0.7 });
    expect(voice.text).to.include({ espeakVoice: 'en-gb-x-rp', language: 'en-GB', phonemeType: 'espeak' });
    expect(voice.models).to.deep.equal([
      {
        name: 'en_GB-alba-medium',
        voice: 'en_GB-alba-medium',
        speaker: 0,
        label: 'Alba (medium)',
        language: 'en-GB',
        domain: 'general',
        gender: 'unknown',
        licence: 'unknown',
        sampleRate: 22050,
      },
    ]);
  });

  it('names symbols by one NFD code point each', () => {
    const { idMap } = parsePiperVoice(published(), FILE).text;
    expect([...idMap.keys()].every((symbol) => symbol === symbol.normalize('NFD'))).to.equal(true);
    expect(idMap.get('a')).to.deep.equal([14]);
  });

  it('falls back to what Piper falls back to', () => {
    const bare = published({ phoneme_type: undefined, inference: undefined, num_speakers: undefined });
    const voice = parsePiperVoice(bare, FILE);
    expect(voice.scales).to.deep.equal({ noiseScale: 0.667, lengthScale: 1, noiseW: 0.8 });
    expect(voice.text.phonemeType).to.equal('espeak');
    expect(voice.numSpeakers).to.equal(1);
  });

  it("takes the language from espeak-ng's voice where it names none", () => {
    const voice = parsePiperVoice(published({ language: undefined, espeak: { voice: 'en-us' } }), FILE);
    expect(voice.text.language).to.equal('en-US');
  });

  it('keeps a hop of its own', () => {
    expect(parsePiperVoice(published({ hop_length: 512 }), FILE).hop).to.equal(512);
  });

  it('reads characters where the voice was taught those', () => {
    const voice = parsePiperVoice(published({ phoneme_type: 'text', espeak: undefined }), FILE);
    expect(voice.text).to.include({ phonemeType: 'text', espeakVoice: '' });
  });
});

describe('A voice of several speakers', () => {
  const speakers = {
    num_speakers: 3,
    speaker_id_map: { ayu: 2, budi: 0 },
    lantang: {
      licence: 'CC0-1.0',
      gender: 'female',
      speakers: { budi: { gender: 'male', language: 'id-ID', label: 'Budi' } },
    },
  };

  it('is a model for each of them, named after the speaker or its number', () => {
    const names = parsePiperVoice(published(speakers), '/voices/team.onnx').models.map(({ name }) => name);
    expect(names).to.deep.equal(['team-budi', 'team-1', 'team-ayu']);
  });

  it('calls a speaker by its own name where it has one', () => {
    const named = { ...speakers, lantang: { speakers: { ayu: { name: 'ayu.v2' } } } };
    const names = parsePiperVoice(published(named), '/voices/team.onnx').models.map(({ name }) => name);
    expect(names).to.deep.equal(['team-budi', 'team-1', 'ayu.v2']);
    for (const name of ['', 'a b', '../ayu', 'é', 'x'.repeat(101)]) {
      const wrong = { ...speakers, lantang: { speakers: { ayu: { name } } } };
      expect(() => parsePiperVoice(published(wrong), '/voices/team.onnx')).to.throw(
        /speakers\.ayu\.name must be letters/,
      );
    }
  });

  it('says of each what the json says of it, else what it says of all', () => {
    const [budi, , ayu] = parsePiperVoice(published(speakers), '/voices/team.onnx').models;
    expect(budi).to.include({
      speaker: 0,
      label: 'Budi',
      gender: 'male',
      language: 'id-ID',
      licence: 'CC0-1.0',
    });
    expect(ayu).to.include({ speaker: 2, label: 'Team, Ayu', gender: 'female', language: 'en-GB' });
  });
});

describe('A json that is no voice', () => {
  const cases: [string, unknown, RegExp][] = [
    ['a list', [], /the file must be an object, but is \[\]/],
    ['null', null, /the file must be an object, but is null/],
    ['a string', 'voice', /the file must be an object/],
    ['no audio', published({ audio: undefined }), /audio must be an object, but is missing/],
    [
      'a sample rate as text',
      published({ audio: { sample_rate: '22050' } }),
      /audio\.sample_rate must be a whole number from 4000 to 192000, but is "22050"/,
    ],
    ['a sample rate of zero', published({ audio: { sample_rate: 0 } }), /audio\.sample_rate/],
    [
      'phonemes of another kind',
      published({ phoneme_type: 'pinyin' }),
      /phoneme_type must be "espeak" or "text", but is "pinyin"/,
    ],
    ['no espeak-ng voice', published({ espeak: {} }), /espeak\.voice must be a string/],
    [
      'no id map',
      published({ phoneme_id_map: undefined }),
      /phoneme_id_map must be an object, but is missing/,
    ],
    ['an id map without a frame', published({ phoneme_id_map: { a: [1] } }), /phoneme_id_map\.\^/],
    [
      'an id beyond num_symbols',
      published({ num_symbols: 15 }),
      /phoneme_id_map\..+ must be a list of whole numbers from 0 to 14, but is \[15,16\]/,
    ],
    ['a negative id', published({ phoneme_id_map: { _: [0], '^': [-1], $: [2] } }), /phoneme_id_map\.\^/],
    ['half an id', published({ phoneme_id_map: { _: [0.5], '^': [1], $: [2] } }), /phoneme_id_map\._/],
    ['a number for ids', published({ phoneme_id_map: { _: 0, '^': [1], $: [2] } }), /phoneme_id_map\._/],
    ['no speakers', published({ num_speakers: 0 }), /num_speakers must be a whole number from 1/],
    ['a million speakers', published({ num_speakers: 1e6 }), /num_speakers/],
    [
      'a speaker beyond num_speakers',
      published({ num_speakers: 2, speaker_id_map: { x: 2 } }),
      /speaker_id_map\.x must be a whole number from 0 to 1, but is 2/,
    ],
    ['noise without end', published({ inference: { noise_scale: 1e9 } }), /inference\.noise_scale/],
    ['a tempo of zero', published({ inference: { length_scale: 0 } }), /inference\.length_scale/],
    [
      'a language that is none',
      published({ language: { code: '!!' } }),
      /language\.code must be a language tag/,
    ],
    ['a hop of zero', published({ hop_length: 0 }), /hop_length/],
    [
      'a label without end',
      published({ lantang: { label: 'x'.repeat(5000) } }),
      /lantang\.label must be a string of at most/,
    ],
  ];
  for (const [what, json, expected] of cases) {
    it(`is refused by name: ${what}`, () => {
      const error = errorOf(() => parsePiperVoice(json, FILE));
      expect(error.code).to.equal('voice_invalid');
      expect(error.message).to.match(expected);
      expect(error.message.length).to.be.lessThan(400);
    });
  }

  it('cannot reach prototypes', () => {
    const hostile = JSON.parse(
      '{"__proto__": {"audio": {"sample_rate": 22050}}, "constructor": 1}',
    ) as unknown;
    expect(errorOf(() => parsePiperVoice(hostile, FILE)).message).to.match(
      /num_symbols must be .*, but is missing/,
    );
    const voice = parsePiperVoice(
      published({ num_speakers: 2, speaker_id_map: JSON.parse('{"__proto__": 1}') as unknown }),
      FILE,
    );
    expect(voice.models.map(({ name }) => name)).to.deep.equal([
      'en_GB-alba-medium-0',
      'en_GB-alba-medium-__proto__',
    ]);
  });
});

describe('The files of a voice', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lantang-piper-'));
  const file = join(folder, 'x.onnx');
  after(() => rmSync(folder, { recursive: true }));

  async function rejection(): Promise<LantangError> {
    return readPiperVoice(file).then(
      () => expect.fail('Expected an error, got none.'),
      (error: unknown) => error as LantangError,
    );
  }

  it('are refused without the json', async () => {
    expect((await rejection()).message).to.equal("x.onnx.json is missing or can't be read.");
  });

  it('are refused with a json that is none', async () => {
    writeFileSync(`${file}.json`, '{"audio":');
    expect((await rejection()).message).to.equal('x.onnx.json is not valid JSON.');
  });

  it('may begin with a byte order mark', async () => {
    writeFileSync(`${file}.json`, `\uFEFF${JSON.stringify(published())}`);
    expect((await readPiperVoice(file)).name).to.equal('x');
  });

  it('may name the licence in a MODEL_CARD', async () => {
    writeFileSync(join(folder, 'MODEL_CARD'), '# Model card\n\n* Language: en_GB\n* License: CC BY 4.0\n');
    expect((await readPiperVoice(file)).models[0]!.licence).to.equal('CC BY 4.0');
  });
});
