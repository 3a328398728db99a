/**
 * OpenAI's server-sent events of a speech: `speech.audio.delta` with base64 audio as it is made, then
 * `speech.audio.done` with the usage, which counts characters as input tokens.
 */
export async function* speechEvents(
  bytes: AsyncIterable<Buffer>,
  characters: number,
): AsyncGenerator<Buffer> {
  for await (const piece of bytes)
    yield event({ type: 'speech.audio.delta', audio: piece.toString('base64') });
  const usage = { input_tokens: characters, output_tokens: 0, total_tokens: characters };
  yield event({ type: 'speech.audio.done', usage });
}

function event(data: Record<string, unknown>): Buffer {
  return Buffer.from(`data: ${JSON.stringify(data)}\n\n`);
}
