import { startServer } from '../../src/main.js';
import { beMeasured } from './measured-server.js';

/*
 * The whole service, whose lanes are busy with long texts all the time. `argv`: folder of the data, how many long
 * texts wait for their turn, the API key.
 */
const [dataDir = '.', , apiKey = ''] = process.argv.slice(2);
/** Each is minutes of speech: more than the benchmark can last. */
const LONG_TEXTS = 60;
const TEXT = 'Every sentence of this text is much like the one before it. '.repeat(83);

const { url } = await startServer({ dataDir, apiKey, port: 0, logLevel: 'silent', segmentCache: 'off' });
const ids: string[] = [];
for (let index = 0; index < LONG_TEXTS; index++) {
  const response = await fetch(`${url}/v2/speech/tts`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ request: { text: TEXT } }),
  });
  ids.push(((await response.json()) as { job_id: string }).job_id);
}
beMeasured(Number(new URL(url).port), ids);
