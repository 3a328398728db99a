import { readFileSync } from 'node:fs';
import { fromRoot } from './paths.mjs';
import { SetUpError } from './set-up-error.mjs';

/** Throws where this Node.js is older than package.json's `engines` allows. */
export function requireNodeVersion() {
  const { engines } = JSON.parse(readFileSync(fromRoot('package.json'), 'utf8'));
  const oldest = engines.node.replace('>=', '');
  if (compareVersions(process.versions.node, oldest) < 0) {
    throw new SetUpError(
      `Node.js ${oldest} or newer is needed; this is ${process.versions.node}. Install a newer one and start again.`,
    );
  }
}

/** Negative, zero or positive, as dotted version numbers sort. */
export function compareVersions(left, right) {
  const [a, b] = [left, right].map((version) => version.split('.').map(Number));
  const differing = a.findIndex((part, index) => part !== (b[index] ?? 0));
  return differing < 0 ? 0 : a[differing] - (b[differing] ?? 0);
}
