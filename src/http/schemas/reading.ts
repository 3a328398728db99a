import { Type } from 'typebox';
import { SAMPLE_RATES } from '../../audio/format.js';
import type { AudioFormatName, SampleRate } from '../../audio/format.js';

/*
 * What requests mean, after lenient reading (`read-input.ts`): the types that the routes take. A property with a
 * `default` may be left out; `x-aliases` are other names a property goes by.
 */

export const AUDIO_FORMATS = [
  'opus',
  'mp3',
  'wav',
  'ogg',
  'flac',
  'aac',
  'pcm',
] as const satisfies readonly AudioFormatName[];

/** UTC day, `2019-08-24`. */
const day = (description: string) => Type.String({ format: 'date', description });

const SubmitConfig = Type.Object(
  {
    model: Type.Optional(
      Type.String({
        maxLength: 255,
        'x-aliases': ['engine'],
        description: 'Name of a TtsModel; absent: the default voice.',
      }),
    ),
    wait: Type.Boolean({
      default: false,
      description: 'True: answer when the job is done or the allotted time is over.',
    }),
    pitch: Type.Number({ minimum: -10, maximum: 10, default: 0, description: 'Semitones; formants stay.' }),
    tempo: Type.Number({ minimum: 0.5, maximum: 2, default: 1, description: 'Speed multiplier.' }),
    audio_format: Type.Enum([...AUDIO_FORMATS], { type: 'string', default: 'opus' }),
    sample_rate: Type.Unsafe<SampleRate>({
      type: 'integer',
      enum: [...SAMPLE_RATES],
      default: 48000,
      description: 'Hertz of the audio delivered.',
    }),
    seed: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 0,
      description: 'Equal requests with equal seeds give equal audio.',
    }),
  },
  { default: {} },
);

const SubmitRequest = Type.Object(
  {
    text: Type.Optional(Type.String({ description: 'Plain text to speak. Exactly one of text and ssml.' })),
    ssml: Type.Optional(Type.String({ description: 'An SSML document to speak.' })),
    label: Type.Optional(Type.String({ maxLength: 255, description: 'Free label of the job.' })),
    as_data: Type.Optional(Type.Boolean({ description: 'Accepted and echoed; without effect.' })),
  },
  { default: {} },
);

export const TtsJobRequest = Type.Object(
  { config: SubmitConfig, request: SubmitRequest },
  { title: 'TtsJobRequest' },
);
export type TtsJobRequest = Type.Static<typeof TtsJobRequest>;

export const SignedUrlQuery = Type.Object({
  as_signed_url: Type.Boolean({
    default: false,
    description: 'Deliver the audio as a signed URL in result.path instead of base64 in result.data.',
  }),
});

const FILTERS = {
  from_date: Type.Optional(day('Only jobs created on this UTC day or later.')),
  until_date: Type.Optional(day('Only jobs created on this UTC day or earlier.')),
  query_text: Type.Optional(
    Type.String({ description: 'Only jobs whose text has this in it, in any case.' }),
  ),
};

export const CountQuery = Type.Object(FILTERS);
export type CountQuery = Type.Static<typeof CountQuery>;

export const ListQuery = Type.Object({
  page: Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: 1 }),
  per_page: Type.Integer({ minimum: 1, maximum: 100, default: 10 }),
  ...FILTERS,
  sort_by: Type.Enum(['time', 'label', 'text'], { type: 'string', default: 'time' }),
  sort_ascend: Type.Boolean({ default: false, description: 'Newest or last first unless true.' }),
});

export const MarksQuery = Type.Object({
  format: Type.Enum(['json', 'srt', 'vtt'], { type: 'string', default: 'json' }),
});

export const SignedFileQuery = Type.Object({
  expires: Type.Optional(Type.String({ description: 'When the URL ends, seconds since the epoch.' })),
  key: Type.Optional(Type.String({ description: 'Which signing key.' })),
  signature: Type.Optional(Type.String()),
});

/** OpenAI's `POST /v1/audio/speech`. */
export const SpeechBody = Type.Object(
  {
    input: Type.String({ minLength: 1, description: 'The text to speak.' }),
    model: Type.Optional(Type.String({ maxLength: 255, description: 'Any name; the voice decides.' })),
    voice: Type.Optional(
      Type.String({
        maxLength: 255,
        description: 'Name of a TtsModel, or one of OpenAI’s voices: the default voice.',
      }),
    ),
    response_format: Type.Enum(['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'], {
      type: 'string',
      default: 'mp3',
      description:
        'A stream of mp3 or aac begins with the silence of its encoder’s delay, 1105 or 1024 samples, and ends with a whole frame; the other formats have their exact length.',
    }),
    speed: Type.Number({ minimum: 0.25, maximum: 4, default: 1 }),
    stream_format: Type.Enum(['audio', 'sse'], { type: 'string', default: 'audio' }),
  },
  { title: 'SpeechRequest' },
);
export type SpeechBody = Type.Static<typeof SpeechBody>;
