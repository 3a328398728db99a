import { expect } from 'chai';
import { readText } from '../../src/text/read-text.js';

function sentences(content: string, language = 'en-US'): string[] {
  return readText({ kind: 'text', content }, language).map((sentence) => sentence.text);
}

describe('sentences', () => {
  const unchanged = [
    'Dr. Smith met Mr. Jones.',
    'He lives on St. James Street with J. R. R. Tolkien.',
    'See No. 5 and Fig. 3, approx. 10 pages.',
    'The U.S. Army came.',
    'It costs 3.50 at example.com today.',
    'On Jan. 5 we met at 5 p.m. in Washington.',
    'Wait... what did you say?',
    '"Stop!" he said.',
    'Acme Inc. Chairman Joe Bloggs left.',
    'Read https://example.com/a?b=c now.',
  ];
  for (const text of unchanged) it(`is one: ${text}`, () => expect(sentences(text)).to.deep.equal([text]));

  const split: [string, string[]][] = [
    ['One. Two! Three?', ['One.', 'Two!', 'Three?']],
    ['He left at 5 p.m. Then he slept.', ['He left at 5 p.m.', 'Then he slept.']],
    ['In the U.S. The law is clear.', ['In the U.S.', 'The law is clear.']],
    ['Take vitamin C. It is good.', ['Take vitamin C.', 'It is good.']],
    ['I like apples, etc. They are good.', ['I like apples, etc.', 'They are good.']],
    ['hi. how are you? fine. 10 came.', ['hi.', 'how are you?', 'fine.', '10 came.']],
    ["It's a no. Go.", ["It's a no.", 'Go.']],
    ["No. I won't. No. 5 will.", ['No.', "I won't.", 'No. 5 will.']],
    ['It was 3.5. 7 people left.', ['It was 3.5.', '7 people left.']],
    ['你好。世界！', ['你好。', '世界！']],
    ['First line\nSecond line', ['First line', 'Second line']],
    ['1. First\n2. Second', ['1. First', '2. Second']],
    ['A long paragraph\n\nand another', ['A long paragraph', 'and another']],
  ];
  for (const [text, expected] of split) {
    it(`are ${expected.length}: ${JSON.stringify(text)}`, () =>
      expect(sentences(text)).to.deep.equal(expected));
  }

  it('go on over the line breaks of wrapped text', () => {
    expect(sentences('We walked to the\nold house.')).to.have.length(1);
    const wrapped =
      'This line was wrapped by a mail program at about column seventy-two by\nMr. Smith himself.';
    expect(sentences(wrapped)).to.have.length(1);
  });

  it('know Indonesian abbreviations', () => {
    expect(
      sentences('Bpk. Joko dan dr. Siti tinggal di Jl. Mawar No. 5. Mereka senang.', 'id'),
    ).to.deep.equal(['Bpk. Joko dan dr. Siti tinggal di Jl. Mawar No. 5.', 'Mereka senang.']);
  });

  it('tell what ended them', () => {
    const closings = readText({ kind: 'text', content: 'A b. C d\nE f\n\nG h' }, 'en').map(
      ({ closing }) => closing,
    );
    expect(closings).to.deep.equal(['sentence', 'line', 'paragraph', 'paragraph']);
  });
});

describe('clauses', () => {
  const clauses = (content: string, language = 'en-US') =>
    readText({ kind: 'text', content }, language).flatMap((sentence) =>
      sentence.clauses.map(({ words, mark }) => words.map((word) => word.text).join(' ') + (mark ?? '|')),
    );

  it('end at marks of punctuation, at dashes and at brackets', () => {
    expect(clauses('Yes, no; maybe: well — good (very) end.')).to.deep.equal([
      'Yes,',
      'no;',
      'maybe:',
      'well,',
      'good,',
      'very,',
      'end.',
    ]);
  });

  it('do not end inside numbers and words', () => {
    expect(clauses('At 3,500 or 14:30 a well-known thing')).to.have.length(1);
    expect(clauses("don't rock'n'roll")).to.deep.equal(["don't rock'n'roll."]);
  });

  it('end after forty words without any punctuation', () => {
    const all = clauses(Array.from({ length: 100 }, () => 'word').join(' '));
    expect(all.map((clause) => clause.split(' ').length)).to.satisfy((counts: number[]) =>
      counts.every((n) => n <= 40),
    );
    expect(all.at(-1)).to.match(/\.$/);
    expect(all[0]).to.match(/\|$/);
  });

  it('point every word to its place in the source', () => {
    const source = 'Pay \u00a0$3.50\u200b now, “naïve” Ｗorld e\u0301t 👍 ok.';
    const words = readText({ kind: 'text', content: source }, 'en-US').flatMap(({ clauses }) =>
      clauses.flatMap(({ words }) => words.map((word) => [word.text, source.slice(word.start, word.end)])),
    );
    expect(words).to.deep.equal([
      ['Pay', 'Pay'],
      ['three', '$3.50'],
      ['dollars', '$3.50'],
      ['and', '$3.50'],
      ['fifty', '$3.50'],
      ['cents', '$3.50'],
      ['now', 'now'],
      ['naïve', 'naïve'],
      ['World', 'Ｗorld'],
      ['ét', 'e\u0301t'],
      ['okay', 'ok'],
    ]);
  });
});
