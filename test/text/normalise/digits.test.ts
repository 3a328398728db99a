import { itReads } from '../said.js';

describe('telephone numbers and other runs of digits', () => {
  itReads('en-US', [
    [
      'ISBN 978-3-16-148410-0',
      'I.S.B.N nine seven eight, three, one six, one four eight four one zero, zero',
    ],
    ['MO 63101', 'Missouri six three one zero one'],
    ['St. Louis, MO 63101', 'Saint Louis, Missouri six three one zero one'],
    ['Springfield, IL 62701-1234', 'Springfield, Illinois six two seven zero one, one two three four'],
    ['OK 50000 of them', 'okay fifty thousand of them'],
    ['Denver, CO 80202', 'Denver, Colorado eight zero two zero two'],
    ['63101 people', 'sixty-three thousand one hundred one people'],
    ['order #12345', 'order number one two three four five'],
    ['a 911 call', 'a nine one one call'],
    ['+1 (555) 123-4567', 'plus one, five five five, one two three, four five six seven'],
    ['555-123-4567', 'five five five, one two three, four five six seven'],
    ['(555) 123-4567', 'five five five, one two three, four five six seven'],
    ['1-800-555-1234', 'one, eight zero zero, five five five, one two three four'],
    ['555-1234', 'five five five, one two three four'],
    ['+442071234567', 'plus four four two, zero seven one, two three four, five six seven'],
    ['0123456789', 'zero one two, three four five, six seven eight nine'],
    ['4111 1111 1111 1111', 'four one one one, one one one one, one one one one, one one one one'],
    ['New York, NY 10018', 'New York, New York one zero zero one eight'],
    ['no. 2024-0012', 'number two thousand twenty-four zero zero one two'],
    ['123-45-6789', 'one two three, four five, six seven eight nine'],
    ['Dial 911', 'Dial nine one one'],
    ['My PIN is 1234', 'My pin is one two three four'],
    ['code 4521', 'code four five two one'],
  ]);
  itReads('id', [
    ['Bandung 40132', 'Bandung empat nol satu tiga dua'],
    ['Bandung 40132 orang', 'Bandung empat puluh ribu seratus tiga puluh dua orang'],
    ['Jakarta Selatan 12190', 'Jakarta Selatan satu dua satu sembilan nol'],
    ['0812-3456-7890', 'nol delapan satu dua, tiga empat lima enam, tujuh delapan sembilan nol'],
    ['081234567890', 'nol delapan satu, dua tiga empat, lima enam tujuh, delapan sembilan nol'],
    ['021-5551234', 'nol dua satu, lima lima lima, satu dua tiga empat'],
    ['(021) 555-1234', 'nol dua satu, lima lima lima, satu dua tiga empat'],
    [
      '+62 812 3456 7890',
      'plus enam dua, delapan satu dua, tiga empat lima enam, tujuh delapan sembilan nol',
    ],
    ['kode 4521', 'kode empat lima dua satu'],
  ]);
});
