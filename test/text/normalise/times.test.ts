import { itReads } from '../said.js';

describe('times', () => {
  itReads('en-US', [
    ['14:30', 'fourteen thirty'],
    ['2:05 pm', 'two oh five P.M'],
    ['2:05pm', 'two oh five P.M'],
    ['2 p.m.', 'two P.M'],
    ['2 AM', 'two A.M'],
    ['9:00', "nine o'clock"],
    ['9:00 am', 'nine A.M'],
    ['12:00', "twelve o'clock"],
    ['14:00', 'fourteen hundred'],
    ['09:05', 'nine oh five'],
    ['14:30:15', 'fourteen thirty and fifteen seconds'],
    ['7–9 pm', 'seven to nine P.M'],
    ['9:30-11:15', 'nine thirty to eleven fifteen'],
    ['7am-9pm', 'seven A.M to nine P.M'],
    ['10.30 am', 'ten thirty A.M'],
    ["5 o'clock", "five o'clock"],
    ['16:9', 'sixteen to nine'],
    ['3:1', 'three to one'],
    ['4:00 p.m. EST', 'four P.M E.S.T'],
    ['1h30m', 'one hour thirty minutes'],
    ['2m30s', 'two minutes thirty seconds'],
  ]);
  itReads('id', [
    ['pukul 14.30', 'pukul empat belas tiga puluh'],
    ['pukul 08.00', 'pukul delapan'],
    ['10.30 WIB', 'sepuluh tiga puluh waktu Indonesia barat'],
    ['14:30', 'empat belas tiga puluh'],
    ['14:30:15', 'empat belas tiga puluh lewat lima belas detik'],
    ['jam 8.05', 'jam delapan lewat lima'],
    ['08.00–16.00 WIB', 'delapan sampai enam belas waktu Indonesia barat'],
    ['pukul 08.00 s.d. 16.00', 'pukul delapan sampai enam belas'],
    ['3:1', 'tiga banding satu'],
  ]);
});
