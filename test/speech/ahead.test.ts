import { expect } from 'chai';
import { inOrder } from '../../src/speech/ahead.js';

describe('Working ahead', () => {
  /** Work that ends when the test says so. */
  class Bench {
    readonly started: number[] = [];
    readonly #ends = new Map<number, (result: string) => void>();
    readonly #fails = new Map<number, (error: Error) => void>();

    work = (item: number): Promise<string> => {
      this.started.push(item);
      return new Promise((resolve, reject) => {
        this.#ends.set(item, resolve);
        this.#fails.set(item, reject);
      });
    };

    end(item: number): void {
      this.#ends.get(item)!(`result ${item}`);
    }

    fail(item: number): void {
      this.#fails.get(item)!(new Error(`item ${item} failed`));
    }
  }

  it('gives results in the order of the items, whichever ends first', async () => {
    const bench = new Bench();
    const results = inOrder([1, 2, 3], 3, bench.work);
    const first = results.next();
    bench.end(3);
    bench.end(2);
    bench.end(1);
    expect((await first).value).to.equal('result 1');
    expect((await results.next()).value).to.equal('result 2');
    expect((await results.next()).value).to.equal('result 3');
    expect((await results.next()).done).to.equal(true);
  });

  it('starts no more than it may', async () => {
    const bench = new Bench();
    const results = inOrder([1, 2, 3, 4, 5], 2, bench.work);
    const first = results.next();
    expect(bench.started).to.deep.equal([1, 2]);
    bench.end(1);
    await first;
    void results.next();
    expect(bench.started).to.deep.equal([1, 2, 3]);
  });

  it('ends with the first failure in order, and lets no later one end the process', async () => {
    const bench = new Bench();
    const results = inOrder([1, 2, 3], 3, bench.work);
    const first = results.next();
    bench.fail(3);
    bench.fail(2);
    bench.end(1);
    expect((await first).value).to.equal('result 1');
    const second = await results.next().catch((error: Error) => error.message);
    expect(second).to.equal('item 2 failed');
  });
});
