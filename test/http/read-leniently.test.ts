import { expect } from 'chai';
import { readLeniently } from '../../src/http/read-leniently.js';
import { ListQuery, TtsJobRequest } from '../../src/http/schemas/reading.js';

describe('http/read-leniently', () => {
  const read = (config: unknown) => (readLeniently(TtsJobRequest, { config }, false) as TtsJobRequest).config;

  it('fills in every default', () => {
    expect(readLeniently(TtsJobRequest, {}, false)).to.deep.equal({
      config: { wait: false, pitch: 0, tempo: 1, audio_format: 'opus', sample_rate: 48000, seed: 0 },
      request: {},
    });
  });

  const spellings: [unknown[], boolean][] = [
    [[true, 1, 'true', 'TRUE', 't', 'T', '1', 'yes', 'Yes', 'y', 'on', 'ON'], true],
    [[false, 0, 'false', 'False', 'f', '0', 'no', 'NO', 'n', 'off', 'oFF'], false],
  ];
  for (const [words, meaning] of spellings) {
    it(`reads ${words.map((word) => JSON.stringify(word)).join(' ')} as ${meaning}`, () => {
      for (const word of words) expect(read({ wait: word }).wait, String(word)).to.equal(meaning);
    });
  }

  it('leaves what is no boolean for the checker to name', () => {
    for (const word of ['perhaps', '', 2, {}]) expect(read({ wait: word }).wait).to.deep.equal(word);
  });

  it('takes the other name of the model, its own name first', () => {
    expect(read({ engine: 'a' }).model).to.equal('a');
    expect(read({ engine: 'a', model: 'b' }).model).to.equal('b');
    expect(read({ engine: 'a', model: null }).model).to.equal('a');
  });

  it('takes null for absent', () => {
    expect(read({ model: null, wait: null, pitch: null, tempo: null, audio_format: null })).to.deep.equal(
      read({}),
    );
    const { request } = readLeniently(
      TtsJobRequest,
      { request: { text: 'x', label: null } },
      false,
    ) as TtsJobRequest;
    expect(request).to.deep.equal({ text: 'x' });
  });

  it('drops unknown fields and keeps off prototypes', () => {
    const body: unknown = JSON.parse(
      '{"__proto__": {"wait": true}, "config": {"constructor": 1, "wait": true}, "x": 1}',
    );
    const { config, request } = readLeniently(TtsJobRequest, body, false) as TtsJobRequest;
    expect(config).to.have.all.keys('wait', 'pitch', 'tempo', 'audio_format', 'sample_rate', 'seed');
    expect(config.wait).to.equal(true);
    expect(request).to.deep.equal({});
  });

  it('reads numbers from strings in queries only', () => {
    expect(readLeniently(ListQuery, { page: '3', per_page: '+5' }, true)).to.include({
      page: 3,
      per_page: 5,
    });
    expect(readLeniently(ListQuery, { page: '1e3', per_page: '0x10' }, true)).to.include({
      page: '1e3',
      per_page: '0x10',
    });
    expect(read({ tempo: '1.5' }).tempo).to.equal('1.5');
  });

  it('replaces half surrogate pairs', () => {
    const { request } = readLeniently(
      TtsJobRequest,
      { request: { text: 'a\ud83db😀\ude00' } },
      false,
    ) as TtsJobRequest;
    expect(request.text).to.equal('a\ufffdb😀\ufffd');
  });
});
