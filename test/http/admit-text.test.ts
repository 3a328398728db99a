import { expect } from 'chai';
import { isLantangError } from '../../src/errors.js';
import { admitText } from '../../src/http/admit-text.js';

const limits = { maxWaitCharacters: 280, maxCharacters: 5000, maxSsmlCharacters: 10_000 };

describe('http/admit-text', () => {
  it('allows a text to its last character and not one more', () => {
    expect(admitText({ text: '😀'.repeat(280) }, true, limits)).to.equal(280);
    expect(refusalOf('😀'.repeat(281), true)).to.deep.equal([
      'tts_request_not_waitable',
      { length: 281, maximum: 280 },
    ]);
    expect(admitText({ text: 'x'.repeat(5000) }, false, limits)).to.equal(5000);
    expect(refusalOf('x'.repeat(5001), false)).to.deep.equal([
      'tts_request_too_large',
      { length: 5001, maximum: 5000 },
    ]);
  });

  it('counts white space, but refuses nothing else', () => {
    expect(admitText({ text: '  a\n ' }, false, limits)).to.equal(5);
    for (const text of ['', ' ', '\n\t\u00a0\u3000'])
      expect(refusalOf(text, false)[0]).to.equal('tts_request_no_text_data');
  });

  function refusalOf(text: string, wait: boolean): [string, unknown] {
    try {
      admitText({ text }, wait, limits);
    } catch (error) {
      if (isLantangError(error)) return [error.code, error.context];
    }
    throw new Error('was admitted');
  }
});
