import { expect } from 'chai';
import { signPath, verifyPath, type Signature, type SigningKey } from '../../src/artifacts/signed-url.js';

const NOW = Date.UTC(2024, 4, 1);
const EXPIRES = NOW / 1000 + 7200;
const PATH = '/v2/speech/files/a.wav';
const [OLD, NEW, FOREIGN] = ['old', 'new', 'foreign'].map((id): SigningKey => ({
  id,
  secret: Buffer.alloc(32, id),
}));
const KEYS = [NEW!, OLD!];

const signed = (key: SigningKey = NEW!, path = PATH): Signature =>
  Object.fromEntries(new URLSearchParams(signPath(path, EXPIRES, key)));

describe('Signed URLs', () => {
  const codeOf = (given: Signature, path = PATH, now = NOW): string | undefined => {
    try {
      verifyPath(path, given, KEYS, now);
      return undefined;
    } catch (error) {
      return (error as { code: string }).code;
    }
  };

  it('are good until they expire, under every key that is kept', () => {
    for (const key of KEYS) {
      expect(codeOf(signed(key))).to.be.undefined;
      expect(codeOf(signed(key), PATH, EXPIRES * 1000 - 1)).to.be.undefined;
      expect(codeOf(signed(key), PATH, EXPIRES * 1000)).to.equal('signed_url_expired');
    }
    expect(codeOf(signed(FOREIGN))).to.equal('signed_url_invalid');
  });

  it('are told to be altered, not expired, when anything was changed', () => {
    const good = signed();
    const altered: Signature[] = [
      {},
      { ...good, expires: String(EXPIRES + 1) },
      { ...good, expires: '1' },
      { ...good, expires: ` ${EXPIRES}` },
      { ...good, expires: 'NaN' },
      { ...good, key: 'old' },
      { ...good, signature: '' },
      { ...good, signature: good.signature!.slice(0, -1) },
      { ...good, signature: `${good.signature}=` },
      { ...good, signature: `${good.signature}A` },
      { ...good, signature: good.signature!.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')) },
    ];
    for (const given of altered) expect(codeOf(given), JSON.stringify(given)).to.equal('signed_url_invalid');
    expect(codeOf(good, `${PATH}x`)).to.equal('signed_url_invalid');
  });

  it('have one spelling only, down to the last bit of the last character', () => {
    const good = signed();
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const passing = [...alphabet].filter(
      (last) => codeOf({ ...good, signature: good.signature!.slice(0, -1) + last }) === undefined,
    );
    expect(passing).to.deep.equal([good.signature!.at(-1)]);
  });
});
