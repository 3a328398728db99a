import { itReads } from '../said.js';

describe('ranges', () => {
  itReads('en-US', [
    ['10–20', 'ten to twenty'],
    ['10-20', 'ten to twenty'],
    ['10 – 20', 'ten to twenty'],
    ['pp. 3-5', 'pages three to five'],
    ['ages 5-10', 'ages five to ten'],
    ['1.5–2.5', 'one point five to two point five'],
    ['A–Z', 'eigh to Z'],
    ['3-2', 'three to two'],
  ]);
  itReads('id', [
    ['10–20', 'sepuluh sampai dua puluh'],
    ['hlm. 12–15', 'halaman dua belas sampai lima belas'],
    ['usia 5-10 tahun', 'usia lima sampai sepuluh tahun'],
  ]);
});
