import { Readable } from 'node:stream';
import type { AudioFormatName } from '../../audio/format.js';
import { audioFormat } from '../../audio/formats.js';
import type { Settings } from '../../config.js';
import type { Speaker, SpeakOptions, Speech, SpeechRequest } from '../../speech/speech.js';
import { admitAudio } from '../admit-audio.js';
import { admitText } from '../admit-text.js';
import { callerOf, type Call } from '../call.js';
import type { PublicModels } from '../models.js';
import type { AppParts, AudioAbilities } from '../parts.js';
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

/** RIFF's has 44; the other containers write theirs together with the first audio. */
const LONGEST_HEADER_BYTES = 44;

/** OpenAI's own voices, which its programs name: the default voice speaks for them unless they are mapped. */
const OPENAI_VOICES = new Set(
  'alloy ash ballad cedar coral echo fable marin nova onyx sage shimmer verse'.split(' '),
);

const OPENAI_MODELS = ['tts-1', 'tts-1-hd', 'gpt-4o-mini-tts'];

export interface SpeechParts {
  accounts: AppParts['accounts'];
  speaker: Speaker;
  models: PublicModels;
  abilities: AudioAbilities;
  settings: Settings;
}

/** OpenAI's speech endpoints: audio leaves as soon as the first bytes are encoded. */
export function speechRoutes(parts: SpeechParts): Route[] {
  return [speechRoute(parts), openAiModelsRoute(), openAiVoicesRoute(parts.models)];
}

function speechRoute({ accounts, speaker, models, abilities, settings }: SpeechParts): Route {
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
    errors: [
      'tts_model_not_found',
      'tts_request_no_text_data',
      'tts_request_too_large',
      'quota_empty',
      'quota_insufficient',
    ],
    async answer(call, { body }) {
      const characters = admitText({ text: body.input }, false, settings);
      const model = models.localName(voiceOf(body, models, settings.defaultVoice));
      const format = FORMATS[body.response_format];
      admitAudio({ format: { is: format, location: ['body', 'response_format'] } }, abilities);
      const { user } = callerOf(call);
      accounts.spend(user, characters);
      const bytes = await begun(() => speaker.speak(speechRequest(body, model), listener(call, user))).catch(
        (error: unknown) => {
          accounts.refund(user, characters);
          throw error;
        },
      );
      call.set('cache-control', 'no-store');
      const asEvents = body.stream_format === 'sse';
      const pieces = asEvents ? speechEvents(bytes, characters) : bytes;
      call.body = Readable.from(pieces, { objectMode: false });
      call.type = asEvents ? 'text/event-stream' : audioFormat(format).contentType;
    },
  });
}

function speechRequest({ input, speed, response_format }: SpeechBody, model: string): SpeechRequest {
  return {
    input: { kind: 'text', content: input },
    model,
    pitch: 0,
    tempo: speed,
    format: FORMATS[response_format],
    sampleRate: SAMPLE_RATE,
    seed: 0,
  };
}

/** Somebody who waits, and wants no more of it once the connection has closed. */
function listener(call: Call, user: string): SpeakOptions {
  const gone = new AbortController();
  call.res.once('close', () => gone.abort());
  return { signal: gone.signal, priority: 'interactive', user, streaming: true };
}

/** The name in `voice`, else in `model`, that a model goes by; OpenAI's own names mean the default voice. */
function voiceOf(body: SpeechBody, models: PublicModels, defaultVoice: string): string {
  const named = [body.voice, body.model].find((name) => name !== undefined && models.find(name));
  if (named !== undefined) return named;
  return body.voice === undefined || OPENAI_VOICES.has(body.voice) ? defaultVoice : body.voice;
}

/**
 * Waits until there is more than a container's header, so that a failure before any audio is still answered as an
 * error.
 */
async function begun(speak: () => Speech): Promise<AsyncIterable<Buffer>> {
  const speech = speak();
  // Its failure also comes with the bytes; without a listener it would end the process.
  speech.result.catch(() => undefined);
  const iterator = speech.bytes[Symbol.asyncIterator]();
  const held: Buffer[] = [];
  for (let size = 0; size <= LONGEST_HEADER_BYTES; size += held.at(-1)!.length) {
    const next = await iterator.next();
    if (next.done) break;
    held.push(next.value);
  }
  return (async function* () {
    yield* held;
    yield* { [Symbol.asyncIterator]: () => iterator };
  })();
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
