import { Readable } from 'node:stream';
import type { Artifact } from '../artifacts/artifact-store.js';
import type { Call } from './call.js';
import type { TtsJob } from './schemas/writing.js';

/**
 * Where the audio goes in a job's JSON. Inside of JSON strings every quote follows a backslash, so this can only be
 * the field itself, whatever the caller's text says.
 */
const EMPTY_DATA = '"result":{"data":"';

/**
 * Answers with a job whose `result.data` is the audio in base64. The audio is encoded on its way from the disk,
 * so that minutes of WAV neither fill the memory nor hold up other requests. `view` has an empty `data`.
 */
export function sendJobWithAudio(call: Call, view: TtsJob, audio: Artifact): void {
  const json = JSON.stringify(view);
  const at = json.indexOf(EMPTY_DATA) + EMPTY_DATA.length;
  const [head, tail] = [Buffer.from(json.slice(0, at)), Buffer.from(json.slice(at))];
  call.type = 'application/json';
  call.length = head.length + 4 * Math.ceil(audio.size / 3) + tail.length;
  call.body = Readable.from(
    framed(head, () => audio.stream(), tail),
    { objectMode: false },
  );
}

/** The file is opened when the first byte is wanted: an answer to HEAD, or to nobody, opens none. */
async function* framed(
  head: Buffer,
  audio: () => AsyncIterable<Buffer>,
  tail: Buffer,
): AsyncGenerator<Buffer> {
  yield head;
  yield* base64(audio());
  yield tail;
}

/** Base64 piece by piece: what does not fill three bytes waits for the next piece. */
export async function* base64(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of bytes) {
    const joined = rest.length > 0 ? Buffer.concat([rest, piece]) : piece;
    const whole = joined.length - (joined.length % 3);
    rest = joined.subarray(whole);
    if (whole > 0) yield Buffer.from(joined.toString('base64', 0, whole), 'latin1');
  }
  if (rest.length > 0) yield Buffer.from(rest.toString('base64'), 'latin1');
}
