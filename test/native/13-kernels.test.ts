import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

/** What the build has made of native/convolution/kernels_*.cc. */
const OBJECTS = fileURLToPath(
  new URL('../../../build/CMakeFiles/lantang.dir/native/convolution/', import.meta.url),
);

/** One that is compiled for AVX-512 must lend nothing to the others: processors without it would stop at it. */
describe('native: kernels of an instruction set', () => {
  const objects = existsSync(OBJECTS)
    ? readdirSync(OBJECTS).filter((name) => /^kernels_.*\.o$/.test(name))
    : [];

  it('are built', () => {
    expect(objects).to.include('kernels_baseline.cc.o');
  });

  for (const object of objects) {
    it(`share no function with other files: ${object}`, () => {
      const symbols = execFileSync('nm', ['--format=posix', '--defined-only', `${OBJECTS}${object}`], {
        encoding: 'utf8',
      });
      const types = symbols.split('\n').flatMap((line) => line.split(' ')[1] ?? []);
      expect(types).not.to.be.empty;
      expect(types.filter((type) => 'WwVvu'.includes(type))).to.deep.equal([]);
    });
  }
});
