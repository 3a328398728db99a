import { expect } from 'chai';
import { align } from '../../src/text/align.js';

/** "word+word=token token" for every group. */
function aligned(words: string, tokens: string): string[] {
  const allWords = words.split(' ');
  const allTokens = tokens.split(' ');
  return align(allWords, allTokens).map(
    (group) =>
      `${allWords.slice(group.words.from, group.words.until).join('+')}=` +
      allTokens.slice(group.tokens.from, group.tokens.until).join(' '),
  );
}

describe('alignment of words and phonemes', () => {
  it('is one to one where the numbers agree', () => {
    expect(aligned('hello world', 'həlˈoʊ wˈɜːld')).to.deep.equal(['hello=həlˈoʊ', 'world=wˈɜːld']);
  });

  it('finds words that were said as one', () => {
    expect(aligned('out of the blue', 'ˌaʊɾəv ðə blˈuː')).to.deep.equal([
      'out+of=ˌaʊɾəv',
      'the=ðə',
      'blue=blˈuː',
    ]);
    expect(aligned('I am in the house', 'aɪɐm ɪnðə hˈaʊs')).to.deep.equal([
      'I+am=aɪɐm',
      'in+the=ɪnðə',
      'house=hˈaʊs',
    ]);
  });

  it('finds a word that was said as several', () => {
    expect(aligned('the A_B house', 'ðə ˈeɪ bˈiː hˈaʊs')).to.deep.equal([
      'the=ðə',
      'A_B=ˈeɪ bˈiː',
      'house=hˈaʊs',
    ]);
  });

  it('covers all words and tokens in order, whatever they are', () => {
    for (const [words, tokens] of [
      [1, 30],
      [30, 1],
      [7, 40],
      [40, 9],
      [3, 2],
    ] as const) {
      const groups = align(
        Array.from({ length: words }, (_, index) => 'w'.repeat((index % 5) + 1)),
        Array.from({ length: tokens }, (_, index) => 't'.repeat((index % 3) + 1)),
      );
      expect(groups.at(-1)?.words.until).to.equal(words);
      expect(groups.at(-1)?.tokens.until).to.equal(tokens);
      groups.slice(1).forEach((group, index) => {
        expect(group.words.from).to.equal(groups[index]!.words.until);
        expect(group.tokens.from).to.equal(groups[index]!.tokens.until);
      });
    }
  });

  it('has nothing to align with silence', () => {
    expect(align(['a'], [])).to.deep.equal([]);
    expect(align([], ['a'])).to.deep.equal([]);
  });
});
