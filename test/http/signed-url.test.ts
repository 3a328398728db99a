import { expect } from 'chai';
import { isLantangError } from '../../src/errors.js';
import { signPath, verifyPath, type Signature } from '../../src/http/signed-url.js';

const key = { id: 'k1', secret: Buffer.from('0123456789abcdef0123456789abcdef') };
const path = '/v2/speech/files/a.wav';
const NOW = 1_700_000_000_000;
const EXPIRES = NOW / 1000 + 7200;

describe('http/signed-url', () => {
  const signed = Object.fromEntries(new URLSearchParams(signPath(path, EXPIRES, key))) as Required<Signature>;

  function codeOf(given: Signature, at = NOW, of = path, by = key): string {
    try {
      verifyPath(of, given, by, at);
      return 'passes';
    } catch (error) {
      return isLantangError(error) ? error.code : String(error);
    }
  }

  it('passes until it expires, not a moment longer', () => {
    expect(codeOf(signed)).to.equal('passes');
    expect(codeOf(signed, EXPIRES * 1000 - 1)).to.equal('passes');
    expect(codeOf(signed, EXPIRES * 1000)).to.equal('signed_url_expired');
  });

  it('refuses every change', () => {
    const other = { id: 'k1', secret: Buffer.from('another secret') };
    expect(codeOf({ ...signed, expires: String(EXPIRES + 1) })).to.equal('signed_url_invalid');
    expect(codeOf({ ...signed, key: 'k2' })).to.equal('signed_url_invalid');
    expect(codeOf(signed, NOW, '/v2/speech/files/b.wav')).to.equal('signed_url_invalid');
    expect(codeOf(signed, NOW, path, other)).to.equal('signed_url_invalid');
    expect(codeOf({})).to.equal('signed_url_invalid');
    for (let at = 0; at < signed.signature.length; at++) {
      const letter = signed.signature[at] === 'A' ? 'B' : 'A';
      const changed = signed.signature.slice(0, at) + letter + signed.signature.slice(at + 1);
      expect(codeOf({ ...signed, signature: changed }), `letter ${at}`).to.equal('signed_url_invalid');
    }
    expect(codeOf({ ...signed, signature: `${signed.signature}==` })).to.equal('signed_url_invalid');
  });
});
