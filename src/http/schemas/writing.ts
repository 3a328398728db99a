import { Type } from 'typebox';
import { AUDIO_FORMATS } from './reading.js';

/* What answers look like: strict. A field without a value is left out, never null. Titles name OpenAPI components. */

/** UTC, whole seconds. */
const Timestamp = Type.String({
  format: 'date-time',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$',
  examples: ['2019-08-24T14:15:22Z'],
});
const JobId = Type.String({ format: 'uuid' });
const Seconds = Type.Number({ minimum: 0, description: 'Seconds.' });
const Status = Type.Enum(['created', 'queued', 'in_progress', 'complete', 'failed', 'cancelled'], {
  type: 'string',
});
const Format = Type.Enum([...AUDIO_FORMATS], { type: 'string' });

export const TtsModel = Type.Object(
  {
    name: Type.String({ description: 'Use it as config.model.' }),
    label: Type.String(),
    language: Type.String(),
    domain: Type.String(),
    voice: Type.String(),
    gender: Type.String(),
    channels: Type.Integer(),
    samplerate: Type.Integer({ description: 'Hertz of the model’s own audio.' }),
    formats: Type.Array(Type.String(), { description: 'What config.audio_format may be.' }),
    marks: Type.Boolean({ description: 'Whether word times can be told.' }),
    licence: Type.String(),
  },
  { title: 'TtsModel' },
);
export type TtsModel = Type.Static<typeof TtsModel>;

const Recovery = Type.Object(
  { retryable: Type.Boolean(), retry_after_seconds: Type.Optional(Type.Integer({ minimum: 1 })) },
  { title: 'Recovery' },
);

const SentenceTime = Type.Object(
  { text: Type.String(), start: Seconds, end: Seconds },
  { title: 'SentenceTime' },
);

const JobRequestEcho = Type.Object({
  text: Type.Optional(Type.String()),
  ssml: Type.Optional(Type.String()),
  label: Type.Optional(Type.String()),
  as_data: Type.Optional(Type.Boolean()),
});

const JobConfigEcho = Type.Object({
  model: Type.String(),
  wait: Type.Boolean(),
  pitch: Type.Number(),
  tempo: Type.Number(),
  audio_format: Format,
  sample_rate: Type.Optional(Type.Integer({ description: 'Present when it is not 48000.' })),
  seed: Type.Optional(Type.Integer({ description: 'Present when it is not 0.' })),
});

const AUDIO_FACTS = {
  format: Type.Optional(Format),
  duration: Type.Optional(Type.Number({ minimum: 0, description: 'Seconds: delivered samples ÷ rate.' })),
  samplerate: Type.Optional(Type.Integer()),
  channels: Type.Optional(Type.Integer()),
};
const FAULT_FACTS = {
  error: Type.Optional(Type.String({ description: 'Why there is no audio.' })),
  code: Type.Optional(Type.String({ description: 'Stable name of the fault.' })),
  recovery: Type.Optional(Recovery),
};

export const TtsResult = Type.Object(
  {
    data: Type.Optional(Type.String({ contentEncoding: 'base64', description: 'The audio.' })),
    path: Type.Optional(Type.String({ format: 'uri', description: 'Signed URL of the audio.' })),
    ...AUDIO_FACTS,
    texts: Type.Optional(Type.Array(SentenceTime)),
    latency: Type.Optional(Type.Number({ minimum: 0, description: 'Seconds from claim to settled.' })),
    ...FAULT_FACTS,
  },
  { title: 'TtsResult' },
);
export type TtsResult = Type.Static<typeof TtsResult>;

const STATUS_FIELDS = { job_id: JobId, status: Status, created_at: Timestamp, modified_at: Timestamp };

export const TtsJobStatus = Type.Object(STATUS_FIELDS, { title: 'TtsJobStatus' });
export type TtsJobStatus = Type.Static<typeof TtsJobStatus>;

export const TtsJob = Type.Object(
  {
    ...STATUS_FIELDS,
    request: JobRequestEcho,
    result: Type.Optional(TtsResult),
    job_config: JobConfigEcho,
    model: Type.Optional(TtsModel),
  },
  { title: 'TtsJob' },
);
export type TtsJob = Type.Static<typeof TtsJob>;

export const TtsJobOverview = Type.Object(
  {
    ...STATUS_FIELDS,
    request: JobRequestEcho,
    result: Type.Optional(Type.Object({ ...AUDIO_FACTS, ...FAULT_FACTS })),
    job_config: JobConfigEcho,
  },
  { title: 'TtsJobOverview' },
);
export type TtsJobOverview = Type.Static<typeof TtsJobOverview>;

export const TtsJobList = Type.Object(
  {
    pagination: Type.Object({
      page: Type.Integer(),
      per_page: Type.Integer(),
      page_count: Type.Integer({ description: 'ceil(length ÷ per_page)' }),
    }),
    length: Type.Integer({ description: 'All jobs that match.' }),
    data: Type.Array(TtsJobOverview),
  },
  { title: 'TtsJobList' },
);
export type TtsJobList = Type.Static<typeof TtsJobList>;

export const TtsMarks = Type.Object(
  {
    job_id: JobId,
    duration: Seconds,
    sentences: Type.Array(SentenceTime),
    words: Type.Array(
      Type.Object({
        offset: Type.Integer({ description: 'UTF-16 index into the text as submitted.' }),
        length: Type.Integer({ description: 'UTF-16 code units.' }),
        text: Type.String(),
        start: Seconds,
        end: Seconds,
      }),
    ),
    marks: Type.Array(Type.Object({ name: Type.String(), time: Seconds })),
  },
  { title: 'TtsMarks' },
);
export type TtsMarks = Type.Static<typeof TtsMarks>;

const Fault = Type.Object({
  location: Type.Array(Type.String()),
  message: Type.String(),
  status: Type.String({ description: 'Stable name of the fault.' }),
});

export const ErrorBody = Type.Object(
  {
    status: Type.String({ description: 'Stable, machine-readable.' }),
    message: Type.String(),
    context: Type.Optional(Type.Union([Type.Object({}, { additionalProperties: true }), Type.Array(Fault)])),
    request_id: Type.String(),
    recovery: Type.Optional(Recovery),
  },
  { title: 'Error' },
);

export const OpenAiError = Type.Object(
  {
    error: Type.Object({
      message: Type.String(),
      type: Type.String(),
      param: Type.Union([Type.String(), Type.Null()]),
      code: Type.String(),
    }),
    request_id: Type.String(),
  },
  { title: 'OpenAiError' },
);

export const OpenAiModelList = Type.Object(
  {
    object: Type.Literal('list'),
    data: Type.Array(
      Type.Object({
        id: Type.String(),
        object: Type.Literal('model'),
        created: Type.Integer(),
        owned_by: Type.String(),
      }),
    ),
  },
  { title: 'OpenAiModelList' },
);

export const OpenAiVoiceList = Type.Object(
  {
    voices: Type.Array(
      Type.Object({ id: Type.String(), name: Type.String(), language: Type.String(), gender: Type.String() }),
    ),
  },
  { title: 'OpenAiVoiceList' },
);

export const Liveness = Type.Object({ status: Type.Literal('ok') }, { title: 'Liveness' });

export const ReadinessReport = Type.Object(
  {
    ready: Type.Boolean(),
    checks: Type.Array(
      Type.Object({ name: Type.String(), ok: Type.Boolean(), message: Type.Optional(Type.String()) }),
    ),
  },
  { title: 'Readiness' },
);
