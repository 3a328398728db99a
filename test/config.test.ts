import { expect } from 'chai';
import { readSettings, settingsTable, unknownVariables } from '../src/config.js';
import { isLantangError } from '../src/errors.js';

describe('config', () => {
  it('gives every default when nothing is set', () => {
    const settings = readSettings({}, {});
    expect(settings).to.include({ host: '127.0.0.1', port: 8080, dataDir: './data', defaultVoice: 'aidan' });
    expect(settings).to.include({ syncWaitSeconds: 15, maxWaitCharacters: 280, maxCharacters: 5000 });
    expect(settings.apiKey).to.equal(undefined);
    expect(settings.devices).to.deep.equal(['auto']);
  });

  it('reads every kind of value from the environment', () => {
    const settings = readSettings(
      {},
      {
        LANTANG_PORT: '0',
        LANTANG_PUBLIC_URL: 'https://speech.example.org/tts/',
        LANTANG_TRUST_PROXY: 'Yes',
        LANTANG_VOICE_ALIASES: 'tts-dimas-formal=nadia, other = joe',
        LANTANG_DEVICES: 'cuda:0, cuda:1',
        LANTANG_SYNC_WAIT_SECONDS: '0.5',
        LANTANG_BODY_LIMIT: '1MB',
        LANTANG_LOG_LEVEL: 'WARN',
      },
    );
    expect(settings).to.include({ port: 0, trustProxy: true, syncWaitSeconds: 0.5, logLevel: 'warn' });
    expect(settings.publicUrl).to.equal('https://speech.example.org/tts');
    expect(settings.voiceAliases).to.deep.equal({ 'tts-dimas-formal': 'nadia', other: 'joe' });
    expect(settings.devices).to.deep.equal(['cuda:0', 'cuda:1']);
    expect(settings.bodyLimit).to.equal(1024 * 1024);
  });

  it('lets an override win, as a value or in the environment’s spelling', () => {
    const environment = { LANTANG_PORT: '9000', LANTANG_DATA_DIR: '/elsewhere' };
    const settings = readSettings({ port: 0, devices: 'cpu', dataDir: undefined }, environment);
    expect(settings.port).to.equal(0);
    expect(settings.devices).to.deep.equal(['cpu']);
    expect(settings.dataDir).to.equal('/elsewhere');
  });

  it('takes an empty variable for an absent one', () => {
    expect(readSettings({}, { LANTANG_PORT: '', LANTANG_API_KEY: ' ' })).to.include({
      port: 8080,
      apiKey: undefined,
    });
  });

  it('names every wrong value in one error', () => {
    const wrong = {
      LANTANG_PORT: '80800',
      LANTANG_TRUST_PROXY: 'perhaps',
      LANTANG_BODY_LIMIT: 'big',
      LANTANG_VOICE_ALIASES: 'a=b,c',
      LANTANG_PUBLIC_URL: 'speech.example.org',
      LANTANG_LOG_LEVEL: 'loud',
      LANTANG_MAX_CHARACTERS: '1e3',
    };
    try {
      readSettings({}, wrong);
      expect.fail('was accepted');
    } catch (error) {
      if (!isLantangError(error, 'configuration_invalid')) throw error;
      for (const variable of Object.keys(wrong)) expect(error.message).to.include(`${variable} must be `);
    }
  });

  it('refuses a key that no header could carry or that is too short, and never shows it', () => {
    const wrong = [
      'hunter2',
      'with a space in it',
      'two\nlines-of-a-key!',
      'bell\u0007-sixteen-chars',
      'schlüssel-ist-lang-genug',
      'k'.repeat(201),
    ];
    for (const key of wrong) {
      try {
        readSettings({}, { LANTANG_API_KEY: key });
        expect.fail(`"${key}" was accepted`);
      } catch (error) {
        if (!isLantangError(error, 'configuration_invalid')) throw error;
        expect(error.message).to.match(/^LANTANG_API_KEY must be 16 to 200 .*, but has \d+ characters/);
        expect(error.message).not.to.include(key);
      }
    }
    expect(readSettings({}, { LANTANG_API_KEY: 'sixteen-or-more!\n' }).apiKey).to.equal('sixteen-or-more!');
  });

  it('tells variables that are misspelt settings', () => {
    const environment = { LANTANG_PROT: '1', LANTANG_PORT: '1', LANTANG_TEST_VOICES: '/v', HOME: '/' };
    expect(unknownVariables(environment)).to.deep.equal(['LANTANG_PROT']);
  });

  it('prints a table row for every setting', () => {
    const rows = settingsTable().trim().split('\n').slice(2);
    expect(rows).to.have.length(Object.keys(readSettings({}, {})).length);
    for (const row of rows) expect(row).to.match(/^\| `LANTANG_[A-Z_]+` \| .* \| .+ \|$/);
    expect(rows).to.include(
      '| `LANTANG_PORT` | 8080 | Port to listen on; 0 takes a free one and prints it |',
    );
  });
});
