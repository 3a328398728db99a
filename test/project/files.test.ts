import { expect } from 'chai';
import { projectFiles, sizeOf, textOf } from './sources.js';

const MEGABYTE = 1_000_000;
const TEXT = /\.(ts|mjs|cjs|js|json|md|sql|html|css|cc|h|py|sh|txt|yml|yaml|gyp|cuda)$|(^|\/)[A-Za-z.-]+$/;

/** Written in pieces, so that this file does not hold what it looks for. */
const HOSTS = [
  ['registry', 'npmjs', 'org'],
  ['registry', 'yarnpkg', 'com'],
  ['pypi', 'org'],
  ['files', 'pythonhosted', 'org'],
  ['deb', 'debian', 'org'],
  ['repo', 'maven', 'apache', 'org'],
].map((labels) => labels.join('.'));
const MACHINE_PATHS = ['work/main', 'work/shared', 'work/scratch', 'root/.', 'home/runner'].map(
  (path) => `/${path}`,
);

describe('The files of the project', () => {
  const files = projectFiles();
  const texts = files.filter((path) => TEXT.test(path));

  it('are found', () => {
    expect(files).to.include.members(['package.json', 'LICENSE', 'src/errors.ts']);
    expect(texts).to.include.members(['.npmrc', '.ci/run', 'package-lock.json']);
  });

  it('stay under a megabyte each, voices apart', () => {
    const large = files.filter((path) => !path.startsWith('models/') && sizeOf(path) >= MEGABYTE);
    expect(large).to.deep.equal([]);
  });

  it('name no package registry, so that every machine uses the one that it is set up for', () => {
    expect(whereAnyOf(HOSTS)).to.deep.equal([]);
  });

  it('name no path of the machine that they were written on', () => {
    expect(whereAnyOf(MACHINE_PATHS)).to.deep.equal([]);
  });

  function whereAnyOf(needles: string[]): string[] {
    return texts.flatMap((path) => {
      const text = textOf(path);
      return needles.filter((needle) => text.includes(needle)).map((needle) => `${path}: ${needle}`);
    });
  }
});
