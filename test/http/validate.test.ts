import { expect } from 'chai';
import { ListQuery, TtsJobRequest } from '../../src/http/schemas/reading.js';
import { readLeniently } from '../../src/http/read-leniently.js';
import { checker } from '../../src/http/validate.js';

describe('http/validate', () => {
  const checkBody = checker(TtsJobRequest);
  const faultsOf = (body: unknown) => checkBody(readLeniently(TtsJobRequest, body, false), 'body');

  it('finds nothing wrong with a right request', () => {
    expect(
      faultsOf({ config: { wait: true, pitch: -10, tempo: 2 }, request: { text: 'Hello.' } }),
    ).to.deep.equal([]);
  });

  it('names every fault with its place, what was expected and what came', () => {
    const faults = faultsOf({
      config: {
        tempo: 3,
        pitch: 'high',
        audio_format: 'midi',
        sample_rate: 11025,
        wait: 'perhaps',
        seed: 1.5,
      },
      request: { text: 12, label: 'x'.repeat(256) },
    });
    expect(faults).to.have.deep.members([
      fault('config.tempo', 'too_large', 'a number from 0.5 to 2, but is 3'),
      fault('config.pitch', 'wrong_type', 'a number from -10 to 10, but is "high"'),
      fault(
        'config.audio_format',
        'not_allowed',
        'one of opus, mp3, wav, ogg, flac, aac, pcm, but is "midi"',
      ),
      fault(
        'config.sample_rate',
        'not_allowed',
        'one of 8000, 16000, 22050, 24000, 44100, 48000, but is 11025',
      ),
      fault('config.wait', 'wrong_type', 'true or false, but is "perhaps"'),
      fault('config.seed', 'wrong_type', 'a whole number from 0 to 9007199254740991, but is 1.5'),
      fault('request.text', 'wrong_type', 'a string, but is 12'),
      fault('request.label', 'too_long', `a string of at most 255 characters, but is "${'x'.repeat(58)}…`),
    ]);
  });

  it('names a body, config or request that is no object', () => {
    expect(faultsOf([])).to.deep.equal([fault('', 'wrong_type', 'a JSON object, but is an array')]);
    expect(faultsOf({ config: 'fast', request: 7 })).to.have.deep.members([
      fault('config', 'wrong_type', 'a JSON object, but is "fast"'),
      fault('request', 'wrong_type', 'a JSON object, but is 7'),
    ]);
  });

  it('knows the calendar', () => {
    const check = checker(ListQuery);
    const dated = (from_date: string) => check(readLeniently(ListQuery, { from_date }, true), 'query');
    for (const day of ['2024-02-29', '1999-12-31']) expect(dated(day), day).to.deep.equal([]);
    for (const day of [
      '2023-02-29',
      '2024-13-01',
      '2024-1-1',
      'yesterday',
      '',
      '2024-01-01T00:00:00Z',
      '02024-01-01',
    ]) {
      expect(dated(day), day).to.have.length(1);
      expect(dated(day)[0]).to.include({ status: 'wrong_format' });
    }
  });

  function fault(path: string, status: string, expected: string) {
    const names = path === '' ? [] : path.split('.');
    const name = path === '' ? 'The body' : path;
    return { location: ['body', ...names], status, message: `${name} must be ${expected}.` };
  }
});
