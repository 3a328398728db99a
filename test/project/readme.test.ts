import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { settingsTable } from '../../src/config.js';

describe('README.md', () => {
  it('has the table of settings as config.ts tells it (npm run readme writes it)', async () => {
    const readme = await readFile('README.md', 'utf8');
    expect(readme).to.include(settingsTable());
  });
});
