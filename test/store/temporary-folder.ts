import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder that is removed by `clean`. */
export function temporaryFolder(): { path: string; clean: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'lantang-test-'));
  return { path, clean: () => rmSync(path, { recursive: true, force: true }) };
}
