import { expect } from 'chai';
import { LantangError } from '../../src/errors.js';
import { readText } from '../../src/text/read-text.js';
import { readSsml } from '../../src/text/ssml/read-ssml.js';

const words = (inside: string, language = 'en-US') =>
  readText({ kind: 'ssml', content: `<speak>${inside}</speak>` }, language)
    .map((sentence) => sentence.words)
    .join(' ');

function fault(content: string, mostCharacters?: number): LantangError {
  try {
    readSsml(content, mostCharacters);
  } catch (error) {
    if (error instanceof LantangError) return error;
    throw error;
  }
  throw new Error(`No fault was found in ${content}.`);
}

describe('SSML', () => {
  const readings: [string, string][] = [
    ['Hello &amp; goodbye &#65;&#x42;', 'Hello and goodbye A.B.'],
    ['a\n   b', 'a b.'],
    ['<![CDATA[a & b]]> c', 'a and b c.'],
    ['one<!-- not this --> two', 'one two.'],
    ['<p><s>One</s><s>Two</s></p><p>Three</p>', 'One. Two. Three.'],
    ['<sub alias="World Wide Web">WWW</sub>', 'World Wide Web.'],
    ['<say-as interpret-as="cardinal">1234</say-as>', 'one thousand two hundred thirty-four.'],
    ['<say-as interpret-as="ordinal">3</say-as>', 'third.'],
    ['<say-as interpret-as="characters">aB1</say-as>', 'eigh B one.'],
    ['<say-as interpret-as="spell-out">abc</say-as>', 'eigh B C.'],
    ['<say-as interpret-as="digits">1024</say-as>', 'one zero two four.'],
    ['<say-as interpret-as="telephone">5551234</say-as>', 'five five five, one two three four.'],
    ['<say-as interpret-as="date" format="dmy">5/3/2024</say-as>', 'March fifth twenty twenty-four.'],
    ['<say-as interpret-as="date" format="mdy">5/3/2024</say-as>', 'May third twenty twenty-four.'],
    ['<say-as interpret-as="time">2:30pm</say-as>', 'two thirty P.M.'],
    ['<say-as interpret-as="currency">$5.10</say-as>', 'five dollars and ten cents.'],
    ['<say-as interpret-as="unit">5kg</say-as>', 'five kilograms.'],
    ['<say-as interpret-as="fraction">3/4</say-as>', 'three quarters.'],
    ['<lang xml:lang="id">Rp15.000</lang> is $1', 'lima belas ribu rupiah is one dollar.'],
    ['It is <emphasis level="strong">very</emphasis> good', 'It is very good.'],
  ];
  for (const [inside, expected] of readings) it(inside, () => expect(words(inside)).to.equal(expected));

  it('reads dates and numbers in the language of the voice', () => {
    expect(words('<say-as interpret-as="date" format="mdy">5/3/2024</say-as>', 'id')).to.equal(
      'tiga Mei dua ribu dua puluh empat.',
    );
  });

  it('keeps breaks, marks and prosody', () => {
    const content =
      '<speak><break time="250ms"/>One <mark name="here"/>two<break strength="strong"/> <prosody rate="80%" pitch="+2st" volume="-6dB">three</prosody>.</speak>';
    const [sentence] = readText({ kind: 'ssml', content }, 'en-US');
    expect(sentence!.clauses.map(({ breakBefore, breakAfter }) => [breakBefore, breakAfter])).to.deep.equal([
      [0.25, 0.8],
      [undefined, undefined],
    ]);
    expect(sentence!.clauses[0]!.cues).to.deep.equal([{ name: 'here', word: 1 }]);
    expect(sentence!.clauses[1]!.prosody).to.deep.equal({ rate: 0.8, pitch: 2, volume: -6 });
  });

  it('multiplies nested rates and adds nested pitches', () => {
    const inside =
      '<prosody rate="slow" pitch="high"><prosody rate="200%" pitch="-1st">x</prosody></prosody>';
    const [sentence] = readText({ kind: 'ssml', content: `<speak>${inside}</speak>` }, 'en-US');
    expect(sentence!.clauses[0]!.prosody).to.deep.equal({ rate: 1.5, pitch: 2, volume: 0 });
  });

  it('points into the document as submitted', () => {
    const content = '<speak>Ben &amp; <sub alias="Gerald">J.</sub>\r\n &#x48;i</speak>';
    const [sentence] = readText({ kind: 'ssml', content }, 'en-US');
    const places = sentence!.clauses.flatMap(({ words }) =>
      words.map(({ text, start, end }) => [text, content.slice(start, end)]),
    );
    expect(places).to.deep.equal([
      ['Ben', 'Ben'],
      ['and', '&amp;'],
      ['Gerald', 'J.'],
      ['Hi', '&#x48;i'],
    ]);
  });

  it('counts what is spoken, not the tags', () => {
    expect(readSsml('<speak>\n  <p>Hello</p>\n  <p>you</p>\n</speak>').spokenCharacters).to.equal(8);
    expect(readSsml('<speak><sub alias="four">x</sub></speak>').spokenCharacters).to.equal(4);
    expect(readSsml('<speak>😀&amp;</speak>').spokenCharacters).to.equal(2);
  });

  describe('refuses, and says where', () => {
    const refused: [what: string, content: string, element: string, line: number, column: number][] = [
      ['an unknown element', '<speak>\n  <audio src="x"/></speak>', 'audio', 2, 3],
      ['an unknown attribute', '<speak><p foo="1">x</p></speak>', 'p', 1, 8],
      ['a DOCTYPE', '<!DOCTYPE speak><speak>x</speak>', '', 1, 1],
      ['an entity of its own', '<speak>&nbsp;</speak>', 'speak', 1, 14],
      ['a break that is too long', '<speak><break time="11s"/></speak>', 'break', 1, 8],
      ['a break without a unit', '<speak><break time="5"/></speak>', 'break', 1, 8],
      ['a rate that is too high', '<speak><prosody rate="500%">x</prosody></speak>', 'prosody', 1, 8],
      ['a pitch in hertz', '<speak><prosody pitch="+10Hz">x</prosody></speak>', 'prosody', 1, 8],
      ['an unknown interpretation', '<speak><say-as interpret-as="song">x</say-as></speak>', 'say-as', 1, 8],
      ['a missing attribute', '<speak><mark/></speak>', 'mark', 1, 8],
      ['another alphabet', '<speak><phoneme alphabet="x-sampa" ph="x">x</phoneme></speak>', 'phoneme', 1, 8],
      [
        'a bad date format',
        '<speak><say-as interpret-as="date" format="zz">1</say-as></speak>',
        'say-as',
        1,
        8,
      ],
      ['text in a break', '<speak><break>x</break></speak>', 'break', 1, 15],
      ['an element in <sub>', '<speak><sub alias="x"><p/></sub></speak>', 'p', 1, 23],
      ['another root', '<p>x</p>', 'p', 1, 1],
      ['an unclosed tag', '<speak><p>x</speak>', 'speak', 1, 20],
      ['no markup at all', 'hello', '', 1, 6],
    ];
    for (const [what, content, element, line, column] of refused) {
      it(what, () => {
        const { code, context, message } = fault(content);
        expect(code).to.equal('ssml_invalid');
        expect(context).to.deep.equal({ element, line, column });
        expect(message).to.match(/\.$/);
      });
    }

    it('pauses of more than five minutes in all', () => {
      const pauses = '<break time="10s"/>';
      expect(() => readSsml(`<speak>${pauses.repeat(30)}</speak>`)).to.not.throw();
      const { context, message } = fault(`<speak>${pauses.repeat(31)}</speak>`);
      expect(context).to.deep.equal({ element: 'break', line: 1, column: 8 + 30 * pauses.length });
      expect(message).to.contain('300 seconds');
    });

    it('more characters than are allowed', () => {
      expect(fault(`<speak>${'x'.repeat(10_000)}</speak>`, 10_000).message).to.contain('10000');
    });

    it('elements nested too deep', () => {
      const deep = '<p>'.repeat(40) + 'x' + '</p>'.repeat(40);
      expect(fault(`<speak>${deep}</speak>`).message).to.contain('nested');
    });

    it('a bomb of entities', () => {
      const bomb = '<!DOCTYPE b [<!ENTITY a "aaaa"><!ENTITY c "&a;&a;">]><speak>&c;</speak>';
      expect(fault(bomb).code).to.equal('ssml_invalid');
    });
  });
});
