import { expect } from 'chai';
import { PhonemizerPool } from '../../src/text/phonemizer-pool.js';
import { failureOf } from '../failure-of.js';

describe('the phonemizer pool', () => {
  let pool: PhonemizerPool;
  beforeEach(() => {
    pool = new PhonemizerPool({ timeoutMilliseconds: 3000 });
  });
  afterEach(() => pool.close());

  it('answers with IPA, clause by clause', async () => {
    expect(await pool.phonemise('en-us', ['hello world', 'of the', ''])).to.deep.equal([
      'həlˈoʊ wˈɜːld',
      'ʌvðə',
      '',
    ]);
    expect(await pool.phonemise('id', ['selamat pagi'])).to.deep.equal(['səlˈamat pˈaɡi']);
    expect(pool.health()).to.include({ processes: 1, alive: 1, restarts: 0 });
    expect(pool.health().version).to.match(/^\d+\.\d+/);
  });

  it('says so when a voice is unknown, and does not go on with the one before', async () => {
    await pool.phonemise('en-us', ['hello']);
    expect((await failureOf(pool.phonemise('xx', ['hello']))).code).to.equal('phonemizer_voice_unknown');
    expect(await pool.phonemise('en-us', ['house'])).to.deep.equal(['hˈaʊs']);
  });

  it('finds a voice by its language', async () => {
    expect(await pool.phonemise('en-gb', ['hello'])).to.deep.equal(['həlˈəʊ']);
  });

  it('gives a clause the same phonemes whatever came before it', async () => {
    const clauses = ['the end', 'a', 'I am here', 'what is that', 'twenty-one'];
    const forwards = await pool.phonemise('en-us', clauses);
    const other = new PhonemizerPool();
    try {
      expect((await other.phonemise('en-us', [...clauses].reverse())).reverse()).to.deep.equal(forwards);
    } finally {
      await other.close();
    }
  });

  it('survives quotes, line breaks, NUL, halves of surrogate pairs and very long clauses', async () => {
    const odd = ['say "hi"\\', 'a\nb', 'a\0b', '\ud800 x', 'word '.repeat(2000), 'x'.repeat(3000)];
    const answers = await pool.phonemise('en-us', odd);
    expect(answers).to.have.length(odd.length);
    expect(answers.every((phonemes) => typeof phonemes === 'string')).to.equal(true);
  });

  it('answers many questions at once, each its own', async () => {
    const numbers = Array.from({ length: 300 }, (_, index) => `word ${index}`);
    const one = await pool.phonemise('en-us', numbers);
    const each = await Promise.all(numbers.map(async (text) => (await pool.phonemise('en-us', [text]))[0]));
    expect(each).to.deep.equal(one);
  });

  it('asks again when its process is killed in the middle of a question', async () => {
    await pool.ready();
    const [victim] = pool.pids();
    process.kill(victim!, 'SIGSTOP');
    const answer = pool.phonemise('en-us', ['killed in the middle']);
    process.kill(victim!, 'SIGKILL');
    expect(await answer).to.deep.equal(await new PhonemizerPoolOnce().ask('killed in the middle'));
    expect(pool.health()).to.include({ alive: 1, restarts: 1 });
    expect(pool.pids()).to.not.include(victim);
  });

  it('replaces a process that is killed while it is idle', async () => {
    await pool.ready();
    process.kill(pool.pids()[0]!, 'SIGKILL');
    expect(await pool.phonemise('en-us', ['hello'])).to.deep.equal(['həlˈoʊ']);
  });

  it('kills a process that sticks, and asks another one', async () => {
    await pool.close();
    pool = new PhonemizerPool({ timeoutMilliseconds: 300 });
    await pool.ready();
    process.kill(pool.pids()[0]!, 'SIGSTOP');
    expect(await pool.phonemise('en-us', ['hello'])).to.deep.equal(['həlˈoʊ']);
    expect(pool.health().restarts).to.equal(1);
  });

  it('gives up after the second process', async () => {
    await pool.close();
    // It never says that it is ready, nor anything else.
    pool = new PhonemizerPool({ program: '/bin/cat', timeoutMilliseconds: 100 });
    const asked = pool.phonemise('en-us', ['hello']);
    for (const pid of pool.pids()) process.kill(pid, 'SIGKILL');
    await untilReplaced(pool);
    for (const pid of pool.pids()) process.kill(pid, 'SIGKILL');
    expect((await failureOf(asked)).code).to.equal('phonemizer_unavailable');
  });

  it('says what to do when the program or espeak-ng is missing', async () => {
    for (const options of [{ program: '/no/such/program' }, { library: 'libno-such-library.so' }]) {
      const broken = new PhonemizerPool(options);
      expect((await failureOf(broken.ready())).message).to.contain('espeak-ng');
      expect((await failureOf(broken.phonemise('en-us', ['x']))).code).to.equal('phonemizer_unavailable');
      await broken.close();
    }
  });

  it('refuses after it was closed, and ends its processes', async () => {
    await pool.ready();
    const [pid] = pool.pids();
    await pool.close();
    expect((await failureOf(pool.phonemise('en-us', ['new words']))).code).to.equal('phonemizer_closed');
    expect(() => process.kill(pid!, 0)).to.throw();
  });

  it('honours a signal', async () => {
    const aborted = AbortSignal.abort(new Error('gone'));
    let reason: unknown;
    await pool.phonemise('en-us', ['x'], aborted).catch((error: unknown) => (reason = error));
    expect(reason).to.be.an('error').with.property('message', 'gone');
  });
});

/** A pool for one question. */
class PhonemizerPoolOnce {
  async ask(text: string): Promise<string[]> {
    const pool = new PhonemizerPool();
    try {
      return await pool.phonemise('en-us', [text]);
    } finally {
      await pool.close();
    }
  }
}

async function untilReplaced(pool: PhonemizerPool): Promise<void> {
  while (pool.health().restarts < 1) await new Promise((resolve) => setImmediate(resolve));
}
