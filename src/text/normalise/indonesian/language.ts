import { MINOR_SIGNS, currencies } from '../currencies.js';
import type { Language } from '../language.js';
import { PER, units } from '../units.js';
import { ABBREVIATIONS, ABBREVIATIONS_OF_NUMBERS, TITLES } from './abbreviations.js';
import { DIGITS, cardinal, fraction, mixed, ordinal } from './numbers.js';

const WORDS: Language['words'] = {
  point: 'koma',
  minus: 'minus',
  plus: 'tambah',
  times: 'kali',
  dividedBy: 'dibagi',
  equals: 'sama dengan',
  notEqual: 'tidak sama dengan',
  lessThan: 'kurang dari',
  greaterThan: 'lebih dari',
  atMost: 'paling banyak',
  atLeast: 'paling sedikit',
  about: 'sekitar',
  plusOrMinus: 'kurang lebih',
  squareRootOf: 'akar kuadrat',
  toThePower: 'pangkat',
  squared: 'kuadrat',
  cubed: 'pangkat tiga',
  to: 'sampai',
  by: 'kali',
  per: 'per',
  and: 'dan',
  or: 'atau',
  at: 'et',
  dot: 'titik',
  dash: 'strip',
  slash: 'garis miring',
  underscore: 'garis bawah',
  tilde: 'tilde',
  heart: 'cinta',
  number: 'nomor',
  hashtag: 'tagar',
  percent: 'persen',
  perMille: 'per mil',
  degrees: 'derajat',
  section: 'pasal',
  paragraph: 'paragraf',
  copyright: 'hak cipta',
  version: 'versi',
  infinity: 'tak terhingga',
  questionMark: 'tanda tanya',
  colon: 'titik dua',
  leadsTo: 'ke',
};

const MAGNITUDES = new Map(
  Object.entries({
    k: 'ribu',
    K: 'ribu',
    rb: 'ribu',
    ribu: 'ribu',
    jt: 'juta',
    Jt: 'juta',
    juta: 'juta',
    M: 'miliar',
    miliar: 'miliar',
    milyar: 'miliar',
    T: 'triliun',
    triliun: 'triliun',
    trilyun: 'triliun',
    ratus: 'ratus',
    puluh: 'puluh',
    million: 'juta',
    billion: 'miliar',
  }),
);

const GREEK = new Map(
  Object.entries({
    α: 'alfa',
    β: 'beta',
    γ: 'gama',
    δ: 'delta',
    ε: 'epsilon',
    θ: 'teta',
    λ: 'lamda',
    μ: 'miu',
    π: 'pi',
    ρ: 'ro',
    σ: 'sigma',
    τ: 'tau',
    φ: 'fi',
    χ: 'ki',
    ψ: 'psi',
    ω: 'omega',
  }),
);

const SPOKEN =
  'ABRI AIDS ASEAN BULOG COVID FIFA GIF HAM NASA NATO PIN PAUD RAM ROM SARS SIM TELKOM UNESCO UNICEF ' +
  'ADA AKU APA BISA DAN DARI DI HARI INI ITU JUGA KALI KAMI KAMU KE LAGI MAU SAYA TAK TIDAK YA YANG';

/** With the names of rulers and popes as Indonesian texts write them. */
const REGNAL = [
  ...[
    'Hamengkubuwono',
    'Hamengkubuwana',
    'Pakubuwono',
    'Pakubuwana',
    'Mangkunegara',
    'Paku Alam',
    'Elizabeth',
  ],
  ...['Henry', 'Louis', 'Charles', 'George', 'Edward', 'Napoleon', 'Paulus', 'Benediktus', 'Ramses', 'Rama'],
];

const HEADINGS = [
  ...[
    'Bab',
    'bab',
    'Bagian',
    'bagian',
    'Jilid',
    'jilid',
    'Pasal',
    'pasal',
    'Kelas',
    'kelas',
    'Tingkat',
    'Tahap',
  ],
  ...[
    'tahap',
    'Lampiran',
    'lampiran',
    'Golongan',
    'golongan',
    'Semester',
    'semester',
    'Triwulan',
    'triwulan',
  ],
  ...['Abad', 'abad', 'Dunia', 'Babak', 'babak', 'Seri', 'Tipe', 'tipe', 'Komisi', 'Kuartal', 'kuartal'],
];

export const INDONESIAN: Language = {
  tag: 'id',
  decimalMark: ',',
  groupMark: '.',
  cardinal,
  ordinal,
  digitNames: DIGITS,
  fraction,
  mixed,
  partOf: mixed,
  year: cardinal,
  words: WORDS,
  magnitudes: MAGNITUDES,
  currencies: currencies('indonesian'),
  minorSigns: MINOR_SIGNS.indonesian,
  units: units('indonesian'),
  per: PER.indonesian,
  letterNames: new Map(),
  greekLetters: GREEK,
  acronyms: { words: new Set(SPOKEN.split(' ')), spelled: new Set() },
  abbreviations: ABBREVIATIONS,
  abbreviationsOfNumbers: ABBREVIATIONS_OF_NUMBERS,
  titles: TITLES,
  numeralHeadings: HEADINGS,
  regnalNames: REGNAL,
  regnalJoin: '',
  codeWords: ['kode', 'PIN', 'OTP', 'ID', 'rekening', 'sandi', 'pos', 'NIK', 'NPWP', 'NIM', 'NIP'],
};
