import { expect } from 'chai';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { NO_SMALL_DISK, smallDisk, type SmallDisk } from '../store/small-disk.js';
import { startScriptedApi, type ScriptedApi } from './scripted-server.js';

describe('api: a full disk', () => {
  let disk: SmallDisk;
  let api: ScriptedApi;
  beforeEach(`a disk of eight megabytes (else skipped: ${NO_SMALL_DISK})`, async function () {
    const mounted = smallDisk(8);
    if (!mounted) return this.skip();
    disk = mounted;
    api = await startScriptedApi({}, disk.path);
  });
  afterEach(async () => {
    await (api as ScriptedApi | undefined)?.close();
    (disk as SmallDisk | undefined)?.remove();
  });

  const submit = () => api.ann.submit({ text: 'Words that take room. '.repeat(200) });

  it('refuses submits with the reason, serves what it has, and accepts again when there is room', async () => {
    const { json: early } = await api.ann.submit({ text: 'Early.' }, { wait: true });
    const ballast = fill(join(disk.path, 'ballast'));
    let accepted = 1;
    let answer = await submit();
    for (; answer.status === 200; answer = await submit()) accepted += 1;

    expect([answer.status, answer.json.status]).to.deep.equal([503, 'job_queue_unavailable']);
    expect(answer.json.recovery.retryable).to.be.true;
    expect(answer.headers.get('retry-after')).to.match(/^\d+$/);
    expect(answer.json.message).to.include('disk is full');
    const { json } = await api.ann.get(`/v2/speech/tts/${early.job_id}`);
    expect(json.result.data).to.equal(early.result.data);
    expect((await api.ann.get('/v2/speech/tts/count')).json).to.equal(accepted);

    rmSync(ballast);
    expect((await submit()).status).to.equal(200);
    expect((await api.ann.get('/v2/speech/tts/count')).json).to.equal(accepted + 1);
  });
});

/** Fills the disk to its last byte with one file. */
function fill(path: string): string {
  const file = openSync(path, 'w');
  try {
    for (;;) if (writeSync(file, Buffer.alloc(64 * 1024)) === 0) break;
  } catch (error) {
    expect(error).to.have.property('code', 'ENOSPC');
  } finally {
    closeSync(file);
  }
  return path;
}
