import { expect } from 'chai';
import { isLantangError } from '../../src/errors.js';
import { FrontEnd } from '../../src/text/front-end.js';
import { PhonemizerPool } from '../../src/text/phonemizer-pool.js';
import type { FrontEndOptions, Utterance } from '../../src/text/utterance.js';
import type { VoiceText } from '../../src/voices/voice.js';
import { randomNumbers } from '../random-numbers.js';
import { englishVoice, indonesianVoice, symbolsOf } from './voices.js';

describe('the text front end', () => {
  let pool: PhonemizerPool;
  let frontEnd: FrontEnd;
  before(() => {
    pool = new PhonemizerPool();
    frontEnd = new FrontEnd(pool);
  });
  after(() => pool.close());

  const prepare = (content: string, voice: VoiceText = englishVoice(), options: FrontEndOptions = {}) =>
    frontEnd.prepare({ kind: content.startsWith('<speak') ? 'ssml' : 'text', content }, voice, options);
  const spoken = async (content: string, voice: VoiceText = englishVoice(), options: FrontEndOptions = {}) =>
    (await prepare(content, voice, options)).segments.map(({ ids }) => symbolsOf(ids, voice));
  const codeOf = async (content: string, voice: VoiceText = englishVoice()) => {
    try {
      await prepare(content, voice);
      return 'spoken';
    } catch (error) {
      return isLantangError(error) ? error.code : String(error);
    }
  };

  describe('ids', () => {
    it("are start, padded symbols and end, as Piper's", async () => {
      const voice = englishVoice();
      const { segments } = await prepare('Hi.', voice);
      const id = (symbol: string) => voice.idMap.get(symbol)![0]!;
      const expected = ['^', '_', 'h', '_', 'ˈ', '_', 'a', '_', 'ɪ', '_', '.', '_', '$'].map(id);
      expect([...segments[0]!.ids]).to.deep.equal(expected);
    });

    it('carry the punctuation and keep the clauses of a sentence together', async () => {
      expect(await spoken('Hello, world; yes: no! Really?')).to.deep.equal([
        '^həlˈoʊ, wˈɜːld; jˈɛs: nˈoʊ!$',
        '^ɹˈiəli?$',
      ]);
    });

    it('end with a full stop where the text has none', async () => {
      expect(await spoken('hello')).to.deep.equal(['^həlˈoʊ.$']);
    });

    it('are of letters where the voice knows letters', async () => {
      const letters = [...'^_$ .,abcdefghijklmnopqrstuvwxyz\u0301'];
      const voice = englishVoice({
        phonemeType: 'text',
        idMap: new Map(letters.map((letter, index) => [letter, [index]])),
      });
      expect(await spoken('Café, two', voice)).to.deep.equal(['^cafe\u0301, two.$']);
    });

    it('leave out what the voice lacks, and count it', async () => {
      const full = englishVoice();
      const idMap = new Map([...full.idMap].filter(([symbol]) => symbol !== 'l'));
      const utterance = await prepare('Hello lull', { ...full, idMap });
      expect(utterance.skipped).to.deep.equal(new Map([['l', 3]]));
      expect(symbolsOf(utterance.segments[0]!.ids, { ...full, idMap })).to.equal('^həˈoʊ ˈʌ.$');
    });
  });

  describe('words', () => {
    const wordsOf = (source: string, { segments }: Utterance, voice: VoiceText) =>
      segments.flatMap(({ ids, words }) =>
        words.map(({ start, end, firstId, endId }) => [
          source.slice(start, end),
          symbolsOf(ids.slice(firstId, endId), voice),
        ]),
      );

    it('have their own ids and their place in the source', async () => {
      const source = 'Pay $3.50 now.';
      const voice = englishVoice();
      expect(wordsOf(source, await prepare(source, voice), voice)).to.deep.equal([
        ['Pay', 'pˈeɪ'],
        ['$3.50', 'θɹˈiː dˈɑːlɚz ænd fˈɪfti sˈɛnts'],
        ['now', 'nˈaʊ'],
      ]);
    });

    it('keep their places where espeak-ng says several as one', async () => {
      const source = 'He is out of the house.';
      const voice = englishVoice();
      const words = wordsOf(source, await prepare(source, voice), voice);
      expect(words.map(([word]) => word)).to.deep.equal(['He', 'is', 'out', 'of', 'the', 'house']);
      expect(words.every(([, symbols]) => symbols !== '')).to.equal(true);
    });

    it('are found in Indonesian', async () => {
      const source = 'Harganya Rp15.000 saja.';
      const voice = indonesianVoice();
      expect(wordsOf(source, await prepare(source, voice), voice)).to.deep.equal([
        ['Harganya', 'harɡˈaɲa'],
        ['Rp15.000', 'lˈima bˈɛlas rˈibu rupˈiah'],
        ['saja', 'sˈadʒa'],
      ]);
    });
  });

  describe('segments', () => {
    const long =
      'The quick brown fox jumps over the lazy dog, and then it runs away; nobody knows where it went. ';

    it('are one for each sentence', async () => {
      const { segments, sentences } = await prepare('One here. Two there! Three?');
      expect(segments.map(({ sentence }) => sentence)).to.deep.equal([0, 1, 2]);
      expect(sentences.map(({ text }) => text)).to.deep.equal(['One here.', 'Two there!', 'Three?']);
    });

    it('never have more ids than the voice takes: cut at clauses, at words, anywhere', async () => {
      for (const maxIds of [12, 40, 100, 200]) {
        const { segments } = await prepare(long.repeat(3) + 'x'.repeat(300), englishVoice({ maxIds }));
        expect(Math.max(...segments.map(({ ids }) => ids.length))).to.be.at.most(maxIds);
      }
      expect(await spoken('Yes, we can go there, or not.', englishVoice({ maxIds: 60 }))).to.deep.equal([
        '^jˈɛs, wiː kæn ɡˌoʊ ðˈɛɹ,$',
        '^ɔːɹ nˈɑːt.$',
      ]);
    });

    it('lose nothing when they are cut', async () => {
      const whole = (await spoken(long)).join('').replace(/[\^$ ]/g, '');
      const parts = (await spoken(long, englishVoice({ maxIds: 60 }))).join('').replace(/[\^$ ]/g, '');
      expect(parts).to.equal(whole);
    });

    it('begin with a short one for a stream', async () => {
      const source = 'Well, as I was saying, this is long.';
      expect(await spoken(source, englishVoice(), { firstSegmentCharacters: 1 })).to.have.length(2);
      expect((await spoken(source, englishVoice(), { firstSegmentCharacters: 10 }))[0]).to.match(
        /sˈeɪɪŋ,\$$/,
      );
      expect(await spoken(source, englishVoice(), { firstSegmentCharacters: 100 })).to.have.length(1);
    });

    it('are followed by the pauses of their punctuation', async () => {
      const { segments } = await prepare('One. Two\nThree\n\nFour');
      const pauses = segments.map(({ pauseAfter }) => pauseAfter);
      expect(pauses[0]).to.be.lessThan(pauses[1]!);
      expect(pauses[1]).to.be.lessThan(pauses[2]!);
      expect(pauses[3]).to.equal(0);
    });
  });

  describe('SSML', () => {
    it('gives breaks, marks and prosody to segments', async () => {
      const { segments } = await prepare(
        '<speak><break time="200ms"/>Hello <mark name="m"/>there <break time="1s"/>my <prosody rate="slow">dear</prosody> friend<break time="2s"/></speak>',
      );
      expect(segments.map(({ pauseBefore }) => pauseBefore)).to.deep.equal([0.2, 0, 0, 0]);
      expect(segments.map(({ pauseAfter }) => pauseAfter).filter((pause) => pause >= 1)).to.deep.equal([
        1, 2,
      ]);
      expect(segments.map(({ prosody }) => prosody.rate)).to.deep.equal([1, 1, 0.75, 1]);
      const { words, marks } = segments[0]!;
      expect(marks).to.deep.equal([{ name: 'm', id: words[1]!.firstId }]);
    });

    it('takes IPA as it is, but for what the voice uses as signs', async () => {
      expect(await spoken('<speak>Say <phoneme ph="təmˈɑːtoʊ^_$">tomato</phoneme>.</speak>')).to.deep.equal([
        '^sˈeɪ təmˈɑːtoʊ.$',
      ]);
    });

    it('stresses what is emphasised', async () => {
      expect(await spoken('<speak>I <emphasis>am</emphasis> here</speak>')).to.not.deep.equal(
        await spoken('I am here'),
      );
    });

    it('reads other languages with their own voice, and unknown ones with its own', async () => {
      const [french] = await spoken('<speak><lang xml:lang="fr">bonjour</lang></speak>');
      expect(french).to.contain('ʒ');
      expect(await spoken('<speak><lang xml:lang="zz">hello</lang></speak>')).to.deep.equal(['^həlˈoʊ.$']);
    });
  });

  describe('odd texts', () => {
    const outcomes: [what: string, content: string, code: string][] = [
      ['emoji only', '😀🎉', 'spoken'],
      ['a flag', '🇮🇩', 'spoken'],
      ['punctuation only', '?!... --', 'nothing_to_speak'],
      ['white space only', ' \n\t ', 'nothing_to_speak'],
      ['nothing', '', 'nothing_to_speak'],
      ['control characters', 'a\u0000b\u0007c\u001b[31m', 'spoken'],
      ['NUL only', '\0\0', 'nothing_to_speak'],
      ['lone surrogates', '\ud800\udc00\ud800 hi \udfff', 'spoken'],
      ['right to left', 'مرحبا بالعالم. שלום עולם', 'spoken'],
      ['mixed scripts', 'Hello мир 世界 नमस्ते ไทย', 'spoken'],
      ['a word of 5000 letters', 'a'.repeat(5000), 'spoken'],
      ['a number of 5000 figures', '7'.repeat(5000), 'spoken'],
      ['5000 combining marks', 'e' + '\u0301'.repeat(5000), 'spoken'],
      ['marks without a letter', '\u0301'.repeat(5000), 'nothing_to_speak'],
      ['2500 emoji', '😀'.repeat(2500), 'spoken'],
      ['5000 hyphens', '-'.repeat(5000), 'nothing_to_speak'],
      ['5000 Han characters', '好'.repeat(5000), 'spoken'],
      ['only invisible characters', '\u200b\u200d\ufeff\u00ad', 'nothing_to_speak'],
      ['an empty document', '<speak></speak>', 'nothing_to_speak'],
    ];
    for (const [what, content, code] of outcomes) {
      it(`${what}: ${code}`, async () => expect(await codeOf(content)).to.equal(code));
    }

    it('bring no switch of language into the words of another', async () => {
      const [segment] = await spoken('hello привет you');
      expect(segment).to.equal('^həlˈoʊ prʲivʲˈet juː.$');
    });
  });

  it('counts the code points that are spoken', async () => {
    expect((await prepare('Hi 😀!')).spokenCharacters).to.equal(5);
    expect((await prepare('<speak> <p>Hi!</p> </speak>')).spokenCharacters).to.equal(3);
  });

  it('ends when it is told to', async () => {
    const gone = new Error('gone');
    const controller = new AbortController();
    const preparing = prepare('Hello there. '.repeat(2000), englishVoice(), { signal: controller.signal });
    controller.abort(gone);
    expect(await preparing.catch((error: unknown) => error)).to.equal(gone);
  });

  describe('random texts', () => {
    const pieces = [
      ...[
        'a',
        'word',
        'The',
        'of the',
        'Dr.',
        'U.S.',
        '$3.50',
        '12:30',
        '1/2',
        '50%',
        'http://a.b/c',
        '#tag',
        'x@y.com',
      ],
      ...[
        ' ',
        '  ',
        '\n',
        '\n\n',
        ', ',
        '. ',
        '! ',
        '? ',
        '; ',
        ': ',
        '—',
        '...',
        '(',
        ')',
        '"',
        '’',
        '-',
        '/',
        '&',
      ],
      ...[
        'é',
        'e\u0301',
        '\u0301',
        '😀',
        '👨‍👩‍👧',
        '\ud800',
        '\0',
        '\u200b',
        'привет',
        '你好',
        'مرحبا',
        'ไทย',
        '①',
        'ﬁ',
      ],
    ];

    for (let seed = 1; seed <= 40; seed++) {
      it(`number ${seed} keeps offsets in order and within bounds`, async () => {
        const random = randomNumbers(seed);
        const source = Array.from({ length: 60 }, () =>
          random() < 0.15
            ? String.fromCharCode(Math.floor(random() * 0x10000))
            : pieces[Math.floor(random() * pieces.length)]!,
        ).join('');
        const voice = seed % 2 ? englishVoice({ maxIds: 80 }) : indonesianVoice({ maxIds: 300 });
        checkUtterance(source, await prepareText(source, voice), voice);
      });
    }

    /** Never as SSML, whatever it begins with. */
    function prepareText(content: string, voice: VoiceText): Promise<Utterance> {
      return frontEnd.prepare({ kind: 'text', content }, voice);
    }
  });
});

function checkUtterance(source: string, utterance: Utterance, voice: VoiceText): void {
  const known = new Set([...voice.idMap.values()].flat());
  let sentenceEnd = 0;
  for (const { text, start, end } of utterance.sentences) {
    expect(start).to.be.within(sentenceEnd, end);
    expect(end).to.be.at.most(source.length);
    expect(text).to.equal(source.slice(start, end));
    sentenceEnd = end;
  }
  let wordStart = 0;
  for (const { ids, words, sentence, pauseAfter } of utterance.segments) {
    expect(ids.length).to.be.at.most(voice.maxIds);
    expect([...ids].every((id) => known.has(id))).to.equal(true);
    expect(pauseAfter).to.be.at.least(0);
    const { start: from, end: until } = utterance.sentences[sentence]!;
    let id = 0;
    for (const { start, end, firstId, endId } of words) {
      expect(start).to.be.at.least(wordStart);
      expect(start).to.be.at.least(from);
      expect(end).to.be.within(start + 1, until);
      expect(firstId).to.be.at.least(id);
      expect(endId).to.be.within(firstId, ids.length);
      wordStart = start;
      id = endId;
    }
  }
}
