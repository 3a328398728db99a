import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeDataDir } from '../prepared-folder.js';
import { copyVoice } from '../voices/prepared-voices.js';
import { lantang } from './run.js';

describe('The command line', function () {
  this.timeout(120_000);
  let dataDir: string;
  let folder: string;

  before(async () => {
    dataDir = await makeDataDir();
    folder = await mkdtemp(join(tmpdir(), 'lantang-cli-'));
  });

  after(async () => {
    await rm(dataDir, { recursive: true, force: true });
    await rm(folder, { recursive: true, force: true });
  });

  describe('lantang say', () => {
    it('speaks into a file whose name tells the format', async () => {
      const file = join(folder, 'hello.flac');
      const { status, stderr } = await lantang(['say', 'Loud and clear.', '-o', file], { dataDir });
      expect(status, stderr).to.equal(0);
      expect((await readFile(file)).subarray(0, 4).toString()).to.equal('fLaC');
    });

    it('reads standard input and writes standard output', async () => {
      const { status, bytes } = await lantang(['say', '--format', 'pcm', '--rate', '24000', '-o', '-'], {
        dataDir,
        input: 'Loud and clear.',
      });
      expect(status).to.equal(0);
      expect(bytes.length / 2 / 24000).to.be.within(0.5, 4);
    });

    it('says the same for the same text and seed, and not for another seed', async () => {
      const say = (seed: string) =>
        lantang(['say', 'Again.', '--format', 'pcm', '--seed', seed, '-o', '-'], { dataDir });
      const [once, again, otherwise] = await Promise.all([say('5'), say('5'), say('6')]);
      expect(once.bytes.length).to.be.greaterThan(10_000);
      expect(once.bytes.equals(again.bytes)).to.equal(true);
      expect(once.bytes.equals(otherwise.bytes)).to.equal(false);
    });

    it('says in one line what is wrong: voice, tempo, seed, text, place', async () => {
      const wrong = [
        { args: ['say', 'Hi.', '--seed', '1.5'], says: /whole number/ },
        {
          args: ['say', 'Hi.', '-o', join(folder, 'nowhere', 'x.wav')],
          says: /There is no folder .*nowhere/,
        },
        { args: ['say', 'Hi.', '-o', folder], says: /is a folder; -o names a file/ },
        { args: ['say', 'Hi.', '-o', join(folder, 'x.xyz')], says: /No format is known by \.xyz/ },
        { args: ['say', 'Hi.', '--voice', 'nobody'], says: /no (voice|model) named "nobody"/ },
        { args: ['say', 'Hi.', '--tempo', '9'], says: /from 0\.5 to 2/ },
        { args: ['say', ' \n '], says: /nothing|no words/i },
      ];
      for (const { args, says } of wrong) {
        const place = args.includes('-o') ? [] : ['-o', join(folder, 'never.wav')];
        const { status, stderr } = await lantang([...args, ...place], { dataDir });
        expect(status).to.equal(1);
        expect(stderr).to.match(says);
        expect(stderr).not.to.match(/\n\s+at /);
      }
      expect(await readdir(folder)).not.to.include('never.wav');
    });

    it('says in one line that the engine cannot be opened', async () => {
      const variables = { LANTANG_ONNXRUNTIME: '/nowhere/libonnxruntime.so' };
      const { status, stderr } = await lantang(['say', 'Hi.', '-o', '-'], { dataDir, variables });
      expect(status).to.equal(1);
      expect(stderr).to.match(/^lantang: .*ONNX Runtime.*\n$/);
    });

    it('leaves nothing in the scratch folder', async () => {
      await lantang(['say', 'Hi.', '-o', '-'], { dataDir });
      expect(await readdir(join(dataDir, 'scratch'))).to.deep.equal([]);
    });
  });

  describe('lantang text', () => {
    it('shows one line of words per line', async () => {
      const { stdout } = await lantang(['text', '-'], { dataDir, input: 'It is 5 km.\n\nAt 14:30.\n' });
      expect(stdout.split('\n')).to.deep.equal(['It is five kilometers.', '', 'At fourteen thirty.', '']);
    });

    it('reads the language that it is told', async () => {
      const { stdout } = await lantang(['text', '--language', 'id', 'Rp15.000'], { dataDir });
      expect(stdout.trim().toLowerCase()).to.contain('lima belas ribu rupiah');
    });

    it('says which languages it reads', async () => {
      const { status, stderr } = await lantang(['text', '--language', 'xx', 'hello'], { dataDir });
      expect(status).to.equal(1);
      expect(stderr).to.match(/'xx' is invalid.* en, en-GB .* id and ms/);
    });

    it('tells clauses, phonemes and segments with offsets into the source', async () => {
      const source = 'Pay $5, now.';
      const { stdout } = await lantang(['text', '--json', source], { dataDir });
      const told = JSON.parse(stdout) as {
        clauses: { words: { text: string; start: number; end: number }[] }[];
        segments: { ids: number[] }[];
      };
      const words = told.clauses.flatMap((clause) => clause.words);
      expect(words.map(({ text }) => text)).to.deep.equal(['Pay', 'five', 'dollars', 'now']);
      expect(source.slice(words[2]!.start, words[2]!.end)).to.equal('$5');
      expect(told.segments[0]!.ids.length).to.be.greaterThan(20);
    });
  });

  describe('lantang voices', () => {
    it('lists, adds and removes voices, and reports a broken one', async () => {
      const voices = join(folder, 'voices');
      const variables = { LANTANG_MODELS_DIR: voices };
      const other = copyVoice(folder, 'greta');

      const added = await lantang(['voices', 'add', other], { dataDir, variables });
      expect(added.status, added.stderr).to.equal(0);
      await writeFile(join(voices, 'broken.onnx'), 'no model');
      const { stdout } = await lantang(['voices', 'list', '--json'], { dataDir, variables });
      const listed = JSON.parse(stdout) as { models: { name: string }[]; broken: { name: string }[] };
      expect(listed.models.map(({ name }) => name)).to.have.members([
        'nadia',
        'aidan',
        'sari',
        'bima',
        'greta',
        'greta-aidan',
      ]);
      expect(listed.broken.map(({ name }) => name)).to.deep.equal(['broken']);

      const removed = await lantang(['voices', 'remove', 'greta'], { dataDir, variables });
      expect(removed.status, removed.stderr).to.equal(0);
      const after = await lantang(['voices', 'list'], { dataDir, variables });
      expect(after.stdout).to.contain('nadia').and.not.contain('greta');
    });

    it('refuses to add what is no voice', async () => {
      const text = join(folder, 'text.onnx');
      await writeFile(text, 'This is no model.');
      const { status, stderr } = await lantang(['voices', 'add', text], { dataDir });
      expect(status).to.equal(1);
      expect(stderr).to.match(/^lantang: .*\n$/);
    });
  });

  describe('lantang keys', () => {
    it('creates a key, shows it once, lists it without what opens it, and revokes it', async () => {
      const created = await lantang(['keys', 'create', 'laptop', '--user', 'ann', '--scope', 'read'], {
        dataDir,
      });
      const key = created.stdout.trim();
      expect(key).to.match(/^lt_[\w-]{40,}$/);
      const listed = await lantang(['keys', 'list'], { dataDir });
      expect(listed.stdout).to.contain('laptop').and.contain('ann').and.not.contain(key);
      const id = listed.stdout
        .split('\n')
        .find((line) => line.includes('laptop'))!
        .slice(0, 8);
      const revoked = await lantang(['keys', 'revoke', id], { dataDir });
      expect(revoked.status, revoked.stderr).to.equal(0);
      expect((await lantang(['keys', 'list'], { dataDir })).stdout).to.contain('revoked');
    });

    it('makes no key that expires before it is used, or at no time', async () => {
      for (const days of ['0', '-4', 'soon', '']) {
        const { status, stdout, stderr } = await lantang(['keys', 'create', '--days', days], { dataDir });
        expect(status).to.equal(1);
        expect(stdout).to.equal('');
        expect(stderr).to.contain('number of days above 0');
      }
    });

    it('renews the key of signed URLs and keeps the one before for what it signed', async () => {
      const renew = () => lantang(['keys', 'renew-signing'], { dataDir });
      const kept = async () => {
        const { keys } = JSON.parse(await readFile(join(dataDir, 'signing-keys.json'), 'utf8')) as {
          keys: { id: string }[];
        };
        return keys.map(({ id }) => id);
      };
      expect((await renew()).status).to.equal(0);
      const [before] = await kept();
      expect((await renew()).stdout).to.contain('next start');
      const [newest, ...others] = await kept();
      expect(newest).to.not.equal(before);
      expect(others).to.deep.equal([before]);
    });

    it('keeps no key as it is', async () => {
      const { stdout } = await lantang(['keys', 'create'], { dataDir });
      const key = stdout.trim();
      for (const file of ['lantang.db', 'lantang.db-wal']) {
        const content = await readFile(join(dataDir, file)).catch(() => Buffer.alloc(0));
        expect(content.includes(key), file).to.equal(false);
      }
    });
  });

  describe('lantang quota', () => {
    it('limits a user, shows it, and lifts the limit', async () => {
      await lantang(['keys', 'create', '--user', 'bob'], { dataDir });
      const limited = await lantang(['quota', 'set', 'bob', '5000'], { dataDir });
      expect(limited.stdout, limited.stderr).to.match(/bob +5000 +0 +0/);
      const lifted = await lantang(['quota', 'set', 'bob', 'unlimited'], { dataDir });
      expect(lifted.stdout).to.match(/bob +unlimited/);
      expect((await lantang(['quota', 'reset', 'bob'], { dataDir })).status).to.equal(0);
    });

    it('says what is wrong: no such user, no number', async () => {
      const unknown = await lantang(['quota', 'set', 'nobody', '5'], { dataDir });
      expect(unknown).to.include({ status: 1 });
      expect(unknown.stderr).to.contain('nobody');
      expect((await lantang(['quota', 'set', 'bob', 'much'], { dataDir })).stderr).to.contain('whole number');
    });
  });

  describe('lantang backup', () => {
    it('copies what a new data directory needs, and never over another backup', async () => {
      const copy = join(folder, 'backup');
      await lantang(['keys', 'create', 'kept'], { dataDir });
      const made = await lantang(['backup', copy], { dataDir });
      expect(made.status, made.stderr).to.equal(0);
      expect((await lantang(['keys', 'list'], { dataDir: copy })).stdout).to.contain('kept');
      expect((await lantang(['backup', copy], { dataDir })).status).to.equal(1);
    });
  });

  describe('lantang doctor', () => {
    it('finds this machine well, and speaks', async () => {
      const { status, stdout } = await lantang(['doctor'], { dataDir });
      expect(status, stdout).to.equal(0);
      expect(stdout).to.match(/ok +speech +[\d.]+ s of audio/);
    });

    it('says what to mend', async () => {
      const variables = { LANTANG_ESPEAK_LIBRARY: '/nowhere/libespeak-ng.so', LANTANG_PORT: '80' };
      const { status, stdout } = await lantang(['doctor'], { dataDir, variables });
      expect(status).to.equal(1);
      expect(stdout).to.match(/✗ +engine +.*espeak/i);
    });
  });

  describe('settings that lead nowhere', () => {
    const faults: [string, NodeJS.ProcessEnv, RegExp][] = [
      [
        'a data directory in /proc',
        { LANTANG_DATA_DIR: '/proc/nope/data' },
        /LANTANG_DATA_DIR must be a folder.*\/proc\/nope/,
      ],
      [
        'a data directory in a file',
        { LANTANG_DATA_DIR: 'package.json/data' },
        /LANTANG_DATA_DIR must be a folder.*in one/,
      ],
      [
        'models that are nowhere',
        { LANTANG_MODELS_DIR: '/nowhere' },
        /LANTANG_MODELS_DIR must be a folder.*does not exist/,
      ],
      [
        'models that are a file',
        { LANTANG_MODELS_DIR: 'package.json' },
        /LANTANG_MODELS_DIR must be a folder.*is a file/,
      ],
      [
        'a default voice that is nobody',
        { LANTANG_DEFAULT_VOICE: 'joey' },
        /LANTANG_DEFAULT_VOICE is "joey".*There are: nadia/,
      ],
      [
        'an alias for nobody',
        { LANTANG_VOICE_ALIASES: 'a=nadia,b=joey' },
        /LANTANG_VOICE_ALIASES maps "b" to "joey".*nadia/,
      ],
      [
        'a key that no header carries',
        { LANTANG_API_KEY: 'two words of a key' },
        /LANTANG_API_KEY must be 16/,
      ],
    ];
    for (const [what, variables, says] of faults) {
      it(`are told at the start in one line: ${what}`, async () => {
        const { status, stderr } = await lantang(['serve', '--port', '0'], { dataDir, variables });
        expect(status).to.equal(1);
        expect(stderr)
          .to.match(says)
          .and.match(/^lantang: .*\n$/);
      });
    }

    it('are told by the doctor', async () => {
      const variables = { LANTANG_DATA_DIR: '/proc/nope/data' };
      const { status, stdout } = await lantang(['doctor'], { dataDir, variables });
      expect(status).to.equal(1);
      expect(stdout).to.match(/✗ +data directory +LANTANG_DATA_DIR must be a folder/);
    });
  });

  it('speaks with the model that an alias stands for, also by default', async () => {
    const variables = { LANTANG_VOICE_ALIASES: 'house=nadia', LANTANG_DEFAULT_VOICE: 'house' };
    const { status, stderr } = await lantang(['say', 'Hi.', '-o', '-'], { dataDir, variables });
    expect(status, stderr).to.equal(0);
  });

  it('names its commands, and a wrong setting by its variable', async () => {
    const help = await lantang(['--help'], { dataDir });
    for (const command of ['serve', 'say', 'text', 'voices', 'keys', 'doctor']) {
      expect(help.stdout).to.contain(command);
    }
    const wrong = await lantang(['serve'], { dataDir, variables: { LANTANG_PORT: 'many' } });
    expect(wrong.status).to.equal(1);
    expect(wrong.stderr).to.contain('LANTANG_PORT');
  });
});
