import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FETCHED_VOICES } from '../native/published-voice.js';
import { ROOT } from '../project/sources.js';
import { argumentsOf, copiesOf, environmentOf, healthCommandOf, readDockerfile } from './dockerfile.js';
import { loadSetUp } from './set-up-module.js';

describe('Dockerfile.cuda', () => {
  const stages = readDockerfile('Dockerfile.cuda');
  const runtime = stages.at(-1)!;
  const scripts = (
    JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
  ).scripts;

  it('has nothing that hadolint would mend', function () {
    const hadolint = join(FETCHED_VOICES, 'hadolint');
    if (!existsSync(hadolint)) {
      this.test!.title += ' (skipped: it is not in the tests’ cache)';
      return this.skip();
    }
    const { status, stdout } = spawnSync(hadolint, [join(ROOT, 'Dockerfile.cuda')], { encoding: 'utf8' });
    expect({ status, stdout }).to.deep.equal({ status: 0, stdout: '' });
  });

  it('stands on images of a named version, and on its own stages', () => {
    const names = stages.map(({ name }) => name);
    expect(names).to.deep.equal(['base', 'cuda', 'devel', 'runtime']);
    for (const { from } of stages)
      expect(names.includes(from) || /^[\w/-]+:\d[\w.-]+$/.test(from)).to.be.true;
  });

  it('copies only what is there', () => {
    for (const stage of stages) {
      for (const { from, sources } of copiesOf(stage)) {
        if (from === undefined)
          for (const source of sources) expect(existsSync(join(ROOT, source)), source).to.be.true;
        else
          expect(
            stages.some(({ name }) => name === from),
            from,
          ).to.be.true;
      }
    }
  });

  it('runs only scripts that package.json has', () => {
    const run = stages.flatMap((stage) => argumentsOf(stage, 'RUN')).join('\n');
    const called = [...run.matchAll(/npm run (\S+)/g)].map(([, script]) => script!);
    expect(called).to.include.members(['setup:cuda', 'build']);
    for (const script of called) expect(scripts).to.have.property(script);
  });

  it('points at the runtime that the set-up brings', async () => {
    const { CUDA_WHEELS } = await loadSetUp<{ CUDA_WHEELS: { libraries: Record<string, string> }[] }>(
      'cuda-wheels',
    );
    const library = Object.keys(CUDA_WHEELS.at(-1)!.libraries).at(-1)!;
    const cuda = argumentsOf(
      stages.find(({ name }) => name === 'cuda')!,
      'RUN',
    ).join('\n');
    const { LANTANG_ONNXRUNTIME } = environmentOf(runtime);
    expect(cuda).to.contain(`ln -s ${library} ${LANTANG_ONNXRUNTIME}`);
  });

  it('sets only variables that lantang, Node or NVIDIA’s runtime reads', () => {
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
    for (const variable of Object.keys(environmentOf(runtime))) {
      if (variable.startsWith('LANTANG_')) expect(readme).to.contain(`| \`${variable}\` |`);
      else expect(variable).to.be.oneOf(['NODE_ENV', 'NVIDIA_VISIBLE_DEVICES', 'NVIDIA_DRIVER_CAPABILITIES']);
    }
    expect(environmentOf(runtime)).to.include({ LANTANG_HOST: '0.0.0.0' });
  });

  it('runs as a user who is not root, asks /readyz for its health, and stops on SIGTERM', () => {
    expect(argumentsOf(runtime, 'USER')).to.deep.equal(['1000:1000']);
    expect(healthCommandOf(runtime).join(' ')).to.contain('/readyz');
    expect(argumentsOf(runtime, 'STOPSIGNAL')).to.deep.equal(['SIGTERM']);
    expect(argumentsOf(runtime, 'VOLUME')).to.deep.equal(['["/data", "/models"]']);
    expect(argumentsOf(runtime, 'EXPOSE')).to.deep.equal([environmentOf(runtime).LANTANG_PORT]);
  });

  it('is built by compose.yaml, which gives it one GPU', () => {
    const compose = readFileSync(join(ROOT, 'compose.yaml'), 'utf8');
    expect(compose).to.match(/dockerfile: Dockerfile\.cuda/);
    expect(compose).to.match(/- driver: nvidia\n\s+count: 1\n\s+capabilities: \[gpu\]/);
  });
});
