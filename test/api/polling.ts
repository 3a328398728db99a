import type { ApiAnswer, ApiClient } from './client.js';

/** 5000 characters: minutes of speech, so that it is in progress for a while. */
export const LONG_TEXT = `${'Every sentence of this text is much like the one before it. '.repeat(84).slice(0, 4999)}.`;

/** Asks for a job's status until it is the wanted one, as a client polls. */
export async function untilStatus(client: ApiClient, id: string, ...wanted: string[]): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const { json } = await client.get(`/v2/speech/tts/${id}/status`);
    if (wanted.includes(json.status)) return;
    if (Date.now() > deadline) throw new Error(`The job stayed ${json.status}.`);
  }
}

/** The job as it is once nothing more will happen to it. */
export async function untilSettled(client: ApiClient, id: string): Promise<ApiAnswer> {
  await untilStatus(client, id, 'complete', 'failed', 'cancelled');
  return client.get(`/v2/speech/tts/${id}`);
}
