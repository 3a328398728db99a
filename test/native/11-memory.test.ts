import { join } from 'node:path';
import { expect } from 'chai';
import { trialEngine } from '../../src/inference/trial-engine.js';
import { manifestOn } from '../../src/voices/manifest.js';
import { readPiperVoice } from '../../src/voices/piper.js';
import { prepareVoice } from '../../src/voices/prepare/prepare.js';
import { referenceIds } from '../../src/voices/reference-ids.js';
import { audioOf, openAddon, row } from './addon.js';
import { EMBEDDED_VOICES } from './published-voice.js';
import { suiteFolder } from './small-voice.js';

const folder = suiteFolder();

describe('native: memory', function () {
  this.timeout(120_000);

  it('that an outsize batch has taken is given back by the next one', async () => {
    const published = await readPiperVoice(join(EMBEDDED_VOICES, 'english.onnx'));
    const directory = join(folder(), published.name);
    const { manifest } = prepareVoice(published, directory, trialEngine(openAddon()));
    const voice = openAddon().load({
      directory,
      manifest: manifestOn('cpu', manifest),
      device: { provider: 'cpu' },
      rowsPerRun: 16,
    });
    const short = row(referenceIds(published.text, 0.3));
    const long = row(referenceIds(published.text), { lengthScale: 2 });
    const speak = (rows: (typeof short)[]): number => {
      audioOf(voice, rows);
      return process.memoryUsage.rss();
    };
    const before = speak([short]);
    const most = speak(Array.from({ length: 16 }, () => long));
    const after = speak([short]);
    voice.close();
    const [grown, kept] = [most - before, after - before];
    expect(grown).to.be.greaterThan(50e6);
    expect(kept).to.be.lessThan(grown / 2);
  });
});
