import { expect } from 'chai';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawBars } from '../../src/cli/tuning-plot.js';
import { temporaryFolder } from '../temporary-folder.js';
import { writeToyVoice } from '../voices/prepare/toy-voice.js';
import { lantang } from './run.js';

describe('lantang tune', function () {
  this.timeout(180_000);
  const scratch = temporaryFolder();
  const modelsDir = join(scratch.path, 'voices');
  const options = { dataDir: join(scratch.path, 'data'), variables: { LANTANG_MODELS_DIR: modelsDir } };

  before(() => void writeToyVoice(modelsDir, 'toy'));
  after(() => scratch.clean());

  it('prints the table that it chose from, and the rewritings of the graph', async () => {
    const { status, stdout, stderr } = await lantang(['tune', 'toy', '--rounds', '3'], options);
    expect(status, stderr).to.equal(0);
    expect(stdout).to.match(/lanes +threads +rows +buckets +audio s\/s +against default +p95 s +peak MB/);
    expect(stdout).to.match(/convolutions in height one +[\d.]+ × +\d/);
    expect(stdout).to.match(/Chosen: |too busy/);
  });

  it('tells everything as JSON, remembers it where it is sure, and draws it', async () => {
    const plot = join(scratch.path, 'plot.svg');
    const args = ['tune', 'toy', '--rounds', '3', '--no-steps', '--json', '--plot', plot];
    const { status, stdout, stderr } = await lantang(args, options);
    expect(status, stderr).to.equal(0);
    const report = JSON.parse(stdout) as {
      settings: object[];
      settled: boolean;
      steps: object[];
      peakBytes: number[];
    };
    expect(report.steps).to.deep.equal([]);
    expect(report.peakBytes).to.have.length(report.settings.length);
    const kept = join(options.dataDir, 'tuning');
    if (report.settled) expect(readdirSync(kept)).to.have.length(1);
    expect(readFileSync(plot, 'utf8').match(/fill-opacity/g)).to.have.length(report.settings.length);
  });

  it('draws a PNG, or says why not', async () => {
    const plot = join(scratch.path, 'plot.png');
    const { status, stderr } = await lantang(
      ['tune', 'toy', '--rounds', '3', '--no-steps', '--plot', plot],
      options,
    );
    if (status === 0) expect(readFileSync(plot).subarray(1, 4).toString()).to.equal('PNG');
    else expect(stderr).to.contain('.svg');
    expect(existsSync(plot)).to.equal(status === 0);
  });

  it('refuses a voice that is not there, and too few rounds', async () => {
    const unknown = await lantang(['tune', 'nobody'], options);
    expect(unknown.status).not.to.equal(0);
    expect(unknown.stderr).to.contain('nobody');
    const hasty = await lantang(['tune', 'toy', '--rounds', '1'], options);
    expect(hasty.status).not.to.equal(0);
    expect(hasty.stderr).to.contain('from 3 to 100');
  });
});

describe('The plot of a measurement', () => {
  it('has a bar for every setting, a dot for every round, and no raw markup of names', () => {
    const svg = drawBars('a < b & c', 'unit', [
      { label: 'one', rounds: [1, 2, 3], value: 2, chosen: false },
      { label: 'two', rounds: [4], value: 4, chosen: true },
    ]);
    expect(svg.match(/<circle/g)).to.have.length(4);
    expect(svg.match(/fill-opacity/g)).to.have.length(2);
    expect(svg).to.contain('a &lt; b &amp; c');
    const widths = [...svg.matchAll(/width="([\d.]+)" height="20"/g)].map(([, width]) => Number(width));
    expect(widths[1]! / widths[0]!).to.be.closeTo(2, 0.01);
  });
});
