import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import type { TObject } from 'typebox';
import { asAccepted } from '../../src/http/openapi-schema.js';
import { readLeniently } from '../../src/http/read-leniently.js';
import { SpeechBody, TtsJobRequest } from '../../src/http/schemas/reading.js';
import { checker } from '../../src/http/validate.js';

/** What people put where a value belongs, right and wrong. */
const VALUES = [
  ...[null, true, false, 0, 1, 2, -1, 0.5, 1.5, 10, -10, 10.5, 48000, 44100, 11025, 1e400],
  ...['', 'true', 'FALSE', 'Yes', 'n', 'oN', 'perhaps', '1', '2', 'wav', 'midi', 'mp3', 'sse'],
  ...['x'.repeat(255), 'x'.repeat(256), [], {}, [1], { a: 1 }],
];

/** Every body that differs from a right one in one value. */
function* variants(right: Record<string, unknown>): Generator<Record<string, unknown>> {
  yield right;
  for (const [name, part] of Object.entries(right)) {
    for (const value of VALUES) yield { ...right, [name]: value };
    yield Object.fromEntries(Object.entries(right).filter(([other]) => other !== name));
    if (typeof part !== 'object') continue;
    for (const inner of variants(part as Record<string, unknown>)) yield { ...right, [name]: inner };
  }
}

describe('http/openapi-schema', () => {
  const cases: [name: string, schema: TObject, right: Record<string, unknown>][] = [
    [
      'a submit',
      TtsJobRequest,
      {
        config: { model: 'b', wait: 1, pitch: 0, tempo: 1, audio_format: 'wav', sample_rate: 8000, seed: 3 },
        request: { text: 'a', ssml: 'b', label: 'c', as_data: true },
      },
    ],
    ['a submit with another name', TtsJobRequest, { config: { engine: 'a' } }],
    [
      'a speech',
      SpeechBody,
      { input: 'a', model: 'b', voice: 'c', response_format: 'wav', speed: 1, stream_format: 'sse' },
    ],
  ];
  for (const [name, schema, right] of cases) {
    it(`publishes for ${name} exactly what is accepted`, () => {
      const published = new Ajv2020({ strict: false }).compile(asAccepted(schema, 'body'));
      const check = checker(schema);
      for (const body of variants(right)) {
        const accepted = check(readLeniently(schema, body, false), 'body').length === 0;
        expect(published(body), JSON.stringify(body)).to.equal(accepted);
      }
    });
  }
});
