/*
 * The child process of `npm run setup:cuda` in which a voice speaks on the first GPU: a faulty driver may end it. Its
 * one argument is the data directory; it prints one line of JSON.
 */
import { pathToFileURL } from 'node:url';
import { fromRoot } from './paths.mjs';

const load = (path) => import(pathToFileURL(fromRoot(`dist/src/${path}.js`)).href);

try {
  console.log(JSON.stringify({ works: await speak(process.argv[2]) }));
} catch ({ code = 'internal', message }) {
  console.log(JSON.stringify({ fails: { code, message } }));
}

/** A sentence's samples and seconds, from an open session; the first one also chooses algorithms and takes longer. */
async function speak(dataDir) {
  const [
    { readSettings },
    { openLog },
    { openCatalogue, runtimeOf },
    { loadAddon },
    { referenceIds },
    { manifestOn },
  ] = await Promise.all(
    ['config', 'log', 'studio', 'inference/binding', 'voices/reference-ids', 'voices/manifest'].map(load),
  );
  const settings = readSettings({ dataDir, devices: ['cuda:0'], onnxruntime: undefined });
  const { directory, manifest, text, scales } = (
    await openCatalogue(settings, openLog('silent'))
  ).voices()[0];
  const addon = loadAddon();
  const { version } = addon.openRuntime({ libraryPath: runtimeOf(settings) });
  const device = { provider: 'cuda', deviceId: 0 };
  const voice = addon.load({ directory, manifest: manifestOn('cuda', manifest), device });
  const row = { ids: referenceIds(text), ...scales, speaker: 0, seed: 0 };
  voice.synthesize([row]);
  const began = performance.now();
  const [result] = voice.synthesize([row]);
  if ('error' in result) throw result.error;
  const audioSeconds = result.samples.length / manifest.sampleRate;
  voice.close();
  return { version, audioSeconds, seconds: (performance.now() - began) / 1000 };
}
