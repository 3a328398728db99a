import { Readable } from 'node:stream';
import type { AudioFormatName } from '../../audio/format.js';
import { audioFormat } from '../../audio/formats.js';
import type { Settings } from '../../config.js';
import type { Speaker, Speech } from '../../speech/speech.js';
import { admitText } from '../admit-text.js';
import { callerOf, type Call } from '../call.js';
import type { PublicModels } from '../models.js';
import { route, type Route } from '../route.js';
import { SpeechBody } from '../schemas/reading.js';
import { OpenAiModelList, OpenAiVoiceList } from '../schemas/writing.js';
import { speechEvents } from '../speech-events.js';

/** OpenAI's format names that mean another container here: its Opus is in Ogg. */
const FORMATS: Record<SpeechBody['response_format'], AudioFormatName> = {
  mp3: 'mp3',
  opus: 'ogg',
  aac: 'aac',
  flac: 'flac',
  wav: 'wav',
  pcm: 'pcm',
};

/** Hertz; what OpenAI's raw PCM is defined to have. */
const SAMPLE_RATE = 24000;

/** OpenAI's own voices, which its programs name: the default voice speaks for them unless they are mapped. */
const OPENAI_VOICES = new Set(
  'alloy ash ballad cedar coral echo fable marin nova onyx sage shimmer verse'.split(' '),
);

const OPENAI_MODELS = ['tts-1', 'tts-1-hd', 'gpt-4o-mini-tts'];

export interface SpeechParts {
  speaker: Speaker;
  models: PublicModels;
  settings: Settings;
}

/** OpenAI's speech endpoints: audio leaves as soon as the first bytes are encoded. */
export function speechRoutes(parts: SpeechParts): Route[] {
  return [speechRoute(parts), openAiModelsRoute(), openAiVoicesRoute(parts.models)];
}

function speechRoute({ speaker, models, settings }: SpeechParts): Route {
  return route({
    method: 'post',
    path: '/v1/audio/speech',
    name: 'createSpeech',
    tag: 'OpenAI',
    summary: 'Speak a text and stream the audio as it is made.',
    scope: 'submit',
    submits: true,
    body: SpeechBody,
    answers: {
      200: {
        description: 'The audio, or server-sent events that carry it.',
        contentTypes: ['audio/*', 'text/event-stream'],
      },
    },
    errors: ['tts_model_not_found', 'tts_request_no_text_data', 'tts_request_too_large'],
    async answer(call, { body }) {
      const characters = admitText({ text: body.input }, false, settings);
      const format = FORMATS[body.response_format];
      const gone = new AbortController();
      call.res.once('close', () => gone.abort());
      const speech = speaker.speak(
        {
          input: { kind: 'text', content: body.input },
          model: models.localName(voiceOf(body, models, settings.defaultVoice)),
          pitch: 0,
          tempo: body.speed,
          format,
          sampleRate: SAMPLE_RATE,
          seed: 0,
        },
        { signal: gone.signal, priority: 'interactive', user: callerOf(call).user, streaming: true },
      );
      const bytes = await begun(speech);
      sendStream(call, body.stream_format === 'sse' ? speechEvents(bytes, characters) : bytes);
      call.type = body.stream_format === 'sse' ? 'text/event-stream' : audioFormat(format).contentType;
    },
  });
}

/** The name in `voice`, else in `model`, that a model goes by; OpenAI's own names mean the default voice. */
function voiceOf(body: SpeechBody, models: PublicModels, defaultVoice: string): string {
  const named = [body.voice, body.model].find((name) => name !== undefined && models.find(name));
  if (named !== undefined) return named;
  return body.voice === undefined || OPENAI_VOICES.has(body.voice) ? defaultVoice : body.voice;
}

/** Waits for the first bytes, so that a failure before them is still answered as an error. */
async function begun(speech: Speech): Promise<AsyncIterable<Buffer>> {
  // The stream below tells every failure; without a listener the same failure here would end the process.
  speech.result.catch(() => undefined);
  const iterator = speech.bytes[Symbol.asyncIterator]();
  const first = await iterator.next();
  return (async function* () {
    try {
      if (!first.done) yield first.value;
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  })();
}

function sendStream(call: Call, bytes: AsyncIterable<Buffer>): void {
  call.set('cache-control', 'no-store');
  call.body = Readable.from(bytes, { objectMode: false });
}

function openAiModelsRoute(): Route {
  return route({
    method: 'get',
    path: '/v1/models',
    name: 'listOpenAiModels',
    tag: 'OpenAI',
    summary: 'The model names that OpenAI’s programs expect; the voice decides what is heard.',
    scope: 'read',
    answers: { 200: { description: 'The names.', schema: OpenAiModelList } },
    errors: [],
    answer(call) {
      const data = OPENAI_MODELS.map((id) => ({ id, object: 'model', created: 0, owned_by: 'lantang' }));
      call.body = { object: 'list', data };
    },
  });
}

function openAiVoicesRoute(models: PublicModels): Route {
  return route({
    method: 'get',
    path: '/v1/audio/voices',
    name: 'listOpenAiVoices',
    tag: 'OpenAI',
    summary: 'What `voice` may be.',
    scope: 'read',
    answers: { 200: { description: 'The voices.', schema: OpenAiVoiceList } },
    errors: [],
    answer(call) {
      const voices = models
        .all()
        .map(({ name, label, language, gender }) => ({ id: name, name: label, language, gender }));
      call.body = { voices };
    },
  });
}
