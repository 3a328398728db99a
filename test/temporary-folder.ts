import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of a test's own. */
export interface TemporaryFolder {
  path: string;
  /** Removes it with all that is in it. */
  clean: () => void;
}

export function temporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), 'lantang-test-'));
  return { path, clean: () => rmSync(path, { recursive: true, force: true }) };
}
