import { itReads } from '../said.js';

describe('symbols, arithmetic, emoji', () => {
  itReads('en-US', [
    ['5 + 3 = 8', 'five plus three equals eight'],
    ['5 - 3 = 2', 'five minus three equals two'],
    ['6 × 7', 'six times seven'],
    ['8 ÷ 2', 'eight divided by two'],
    ['a < b', 'a is less than b'],
    ['x > 5', 'x is greater than five'],
    ['x²', 'x squared'],
    ['10^6', 'ten to the power of six'],
    ['10⁶', 'ten to the power of six'],
    ['√2', 'the square root of two'],
    ['π', 'pi'],
    ['∞', 'infinity'],
    ['salt & pepper', 'salt and pepper'],
    ['me @ home', 'me at home'],
    ['and/or', 'and or'],
    ['he/she', 'he or she'],
    ['TCP/IP', 'T.C.P I.P'],
    ['C#', 'C sharp'],
    ['C++', 'C plus plus'],
    ['© 2024', 'copyright twenty twenty-four'],
    ['§ 5', 'section five'],
    ['A → B', 'A to B'],
    ['Great job! 🎉', 'Great job!'],
    ['I ❤️ you', 'I love you'],
    ['Hello 😀 world', 'Hello world'],
    ['“Quoted” text', 'Quoted text'],
    ['It’s fine', "It's fine"],
    ['Hello… world', 'Hello, world'],
    ['Wait—what?', 'Wait, what?'],
    ['Yes (maybe) no', 'Yes, maybe, no'],
    ['Really?!', 'Really?'],
  ]);
  itReads('id', [
    ['5 + 3 = 8', 'lima tambah tiga sama dengan delapan'],
    ['A & B', 'A dan B'],
    ['dan/atau', 'dan atau'],
    ['±100 orang', 'kurang lebih seratus orang'],
  ]);
});
