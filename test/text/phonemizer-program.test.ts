import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const PROGRAM = fileURLToPath(new URL('../../../build/Release/lantang-phonemizer', import.meta.url));

interface Answer {
  id?: number | null;
  ready?: boolean;
  phonemes?: string[];
  error?: { code: string; message: string };
}

/** Its answers to lines, without the first one; it must end by itself when its input does. */
function answers(...lines: string[]): Answer[] {
  const { stdout, status } = spawnSync(PROGRAM, {
    input: lines.map((line) => `${line}\n`).join(''),
    encoding: 'utf8',
  });
  expect(status).to.equal(0);
  const parsed = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Answer);
  expect(parsed.shift()).to.include({ ready: true });
  return parsed;
}

describe('the phonemizer program', () => {
  it('reads keys in any order, escapes and spaces', () => {
    const line = ' { "clauses" : [ "h\\u0065llo" , "\\ud83d\\ude00" ] , "voice":"en-us", "id" : 7 } ';
    expect(answers(line)).to.deep.equal([{ id: 7, phonemes: ['həlˈoʊ', 'ɡɹˈɪnɪŋ fˈeɪs'] }]);
  });

  const malformed = [
    '',
    'x',
    '{}',
    '[]',
    '{"id":1}',
    '{"id":1,"voice":"en-us","clauses":"x"}',
    '{"id":1,"voice":"en-us","clauses":["x"',
    '{"id":1,"voice":"en-us","clauses":["x"]} y',
    '{"id":-1,"voice":"en-us","clauses":[]}',
    '{"id":99999999999999999999,"voice":"en-us","clauses":[]}',
    '{"id":1,"voice":"en-us","clauses":["\\q"]}',
    '{"id":1,"voice":"en-us","clauses":["\\u12"]}',
    '{"id":1,"voice":"en-us","clauses":[],"more":1}',
    '{"id":1,"voice":"en-us","clauses":["unterminated',
  ];
  for (const line of malformed) {
    it(`answers ${JSON.stringify(line)} with an error and goes on`, () => {
      const good = '{"id":2,"voice":"en-us","clauses":["hello"]}';
      const [first, second] = answers(line, good);
      expect(first).to.have.nested.property('error.code', 'request_malformed');
      expect(second).to.deep.equal({ id: 2, phonemes: ['həlˈoʊ'] });
    });
  }

  // Some of them end an espeak-ng that is let near them.
  const strangers = [
    'zz',
    '',
    '.',
    '..',
    '!v/f3',
    '/etc/passwd',
    '../voices/!v/f3',
    'en-us/',
    'ü',
    'e'.repeat(65),
  ];
  for (const voice of strangers) {
    it(`refuses the voice ${JSON.stringify(voice)} and goes on`, () => {
      const asked = JSON.stringify({ id: 3, voice, clauses: ['hello'] });
      const [answer, next] = answers(asked, '{"id":4,"voice":"en-us","clauses":["hello"]}');
      expect(answer).to.have.nested.property('error.code', 'voice_unknown');
      expect(answer).to.include({ id: 3 });
      expect(next).to.deep.equal({ id: 4, phonemes: ['həlˈoʊ'] });
    });
  }

  it('knows a variant of a voice', () => {
    const [answer] = answers('{"id":5,"voice":"en-us+f3","clauses":["hello"]}');
    expect(answer).to.deep.equal({ id: 5, phonemes: ['həlˈoʊ'] });
  });

  it('says that libespeak-ng is missing', () => {
    const { stdout, status } = spawnSync(PROGRAM, ['--library', 'libno.so'], { input: '', encoding: 'utf8' });
    expect(status).to.equal(1);
    expect(JSON.parse(stdout)).to.have.nested.property('error.code', 'espeak_unavailable');
  });
});
