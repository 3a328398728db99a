import { expect } from 'chai';
import { base64 } from '../../src/http/send-job.js';

describe('http/send-job', () => {
  it('encodes base64 the same however the bytes are cut', async () => {
    const bytes = Buffer.from(Array.from({ length: 1000 }, (_, index) => (index * 37) % 256));
    for (const cut of [1, 2, 3, 4, 5, 64, 333, 1000]) {
      const pieces = Array.from({ length: Math.ceil(1000 / cut) }, (_, at) =>
        bytes.subarray(at * cut, (at + 1) * cut),
      );
      expect(await joined(pieces), `cut at ${cut}`).to.equal(bytes.toString('base64'));
    }
  });

  it('encodes nothing as nothing', async () => {
    expect(await joined([])).to.equal('');
  });

  async function joined(pieces: Buffer[]): Promise<string> {
    const out: Buffer[] = [];
    for await (const piece of base64(from(pieces))) out.push(piece);
    return Buffer.concat(out).toString();
  }

  // eslint-disable-next-line @typescript-eslint/require-await
  async function* from(pieces: Buffer[]): AsyncGenerator<Buffer> {
    yield* pieces;
  }
});
