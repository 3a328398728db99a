import type { Counted } from './language.js';

/** How a language says amounts of one currency; `cents` is absent where the minor unit is out of use. */
export interface Currency {
  units: Counted;
  cents?: Counted;
}

interface Row {
  /** ISO 4217. */
  code: string;
  /** As written before or after an amount; the first one is not shared with another currency. */
  signs: readonly string[];
  english: Currency;
  indonesian: Currency;
}

function same(name: string): Counted {
  return [name, name];
}

function row(
  code: string,
  signs: readonly string[],
  english: readonly [Counted, Counted?],
  indonesian: readonly [string, string?],
): Row {
  const [units, cents] = english;
  const [name, minor] = indonesian;
  return {
    code,
    signs,
    english: { units, ...(cents && { cents }) },
    indonesian: { units: same(name), ...(minor && { cents: same(minor) }) },
  };
}

const CENTS: Counted = ['cent', 'cents'];

const ROWS: readonly Row[] = [
  row('USD', ['$'], [['dollar', 'dollars'], CENTS], ['dolar', 'sen']),
  row('EUR', ['€'], [['euro', 'euros'], CENTS], ['euro', 'sen']),
  row(
    'GBP',
    ['£'],
    [
      ['pound', 'pounds'],
      ['penny', 'pence'],
    ],
    ['pound sterling', 'pence'],
  ),
  row('IDR', ['Rp.', 'Rp', 'IDR'], [same('rupiah')], ['rupiah', 'sen']),
  row('JPY', ['¥', '￥'], [same('yen')], ['yen']),
  row('CNY', ['RMB', 'CN¥'], [same('yuan')], ['yuan']),
  row(
    'INR',
    ['₹', 'Rs.', 'Rs'],
    [
      ['rupee', 'rupees'],
      ['paisa', 'paise'],
    ],
    ['rupee', 'paise'],
  ),
  row('KRW', ['₩'], [same('won')], ['won']),
  row(
    'RUB',
    ['₽'],
    [
      ['ruble', 'rubles'],
      ['kopek', 'kopeks'],
    ],
    ['rubel', 'kopek'],
  ),
  row('UAH', ['₴'], [same('hryvnia')], ['hryvnia']),
  row('TRY', ['₺'], [same('lira')], ['lira']),
  row('VND', ['₫'], [same('dong')], ['dong']),
  row(
    'PHP',
    ['₱'],
    [
      ['peso', 'pesos'],
      ['centavo', 'centavos'],
    ],
    ['peso', 'sentavo'],
  ),
  row('THB', ['฿'], [same('baht'), same('satang')], ['baht', 'satang']),
  row('ILS', ['₪'], [['shekel', 'shekels']], ['shekel']),
  row('NGN', ['₦'], [same('naira')], ['naira']),
  row('BTC', ['₿'], [['bitcoin', 'bitcoins']], ['bitcoin']),
  row('MYR', ['RM'], [same('ringgit'), same('sen')], ['ringgit', 'sen']),
  row('SGD', ['S$'], [['Singapore dollar', 'Singapore dollars'], CENTS], ['dolar Singapura', 'sen']),
  row('AUD', ['A$', 'AU$'], [['Australian dollar', 'Australian dollars'], CENTS], ['dolar Australia', 'sen']),
  row('CAD', ['C$', 'CA$'], [['Canadian dollar', 'Canadian dollars'], CENTS], ['dolar Kanada', 'sen']),
  row('HKD', ['HK$'], [['Hong Kong dollar', 'Hong Kong dollars'], CENTS], ['dolar Hong Kong', 'sen']),
  row('NZD', ['NZ$'], [['New Zealand dollar', 'New Zealand dollars'], CENTS], ['dolar Selandia Baru', 'sen']),
  row(
    'BRL',
    ['R$'],
    [
      ['Brazilian real', 'Brazilian reais'],
      ['centavo', 'centavos'],
    ],
    ['real Brasil', 'sentavo'],
  ),
  row(
    'CHF',
    ['SFr.'],
    [
      ['Swiss franc', 'Swiss francs'],
      ['centime', 'centimes'],
    ],
    ['franc Swiss', 'sen'],
  ),
  row('SAR', [], [['Saudi riyal', 'Saudi riyals']], ['riyal Saudi']),
  row('AED', [], [['dirham', 'dirhams']], ['dirham']),
  row('ZAR', [], [same('rand')], ['rand']),
  row(
    'MXN',
    ['MX$'],
    [
      ['Mexican peso', 'Mexican pesos'],
      ['centavo', 'centavos'],
    ],
    ['peso Meksiko', 'sentavo'],
  ),
  row('SEK', [], [['Swedish krona', 'Swedish kronor']], ['krona Swedia']),
  row('NOK', [], [['Norwegian krone', 'Norwegian kroner']], ['krone Norwegia']),
  row('DKK', [], [['Danish krone', 'Danish kroner']], ['krone Denmark']),
  row('PLN', [], [['zloty', 'zlotys']], ['zloty']),
];

/** `US$` and the code say which dollars are meant; a bare `$` does not. */
const AMERICAN: Record<'english' | 'indonesian', Currency> = {
  english: { units: ['U.S dollar', 'U.S dollars'], cents: CENTS },
  indonesian: { units: same('dolar Amerika'), cents: same('sen') },
};

/** Every sign and code of a currency → how the language says it. */
export function currencies(language: 'english' | 'indonesian'): ReadonlyMap<string, Currency> {
  const table = new Map<string, Currency>();
  for (const entry of ROWS) {
    for (const sign of [entry.code, ...entry.signs]) table.set(sign, entry[language]);
  }
  for (const sign of ['USD', 'US$', 'U$']) table.set(sign, AMERICAN[language]);
  return table;
}

/** Hundredths of a unit that have a sign of their own. */
export const MINOR_SIGNS: Record<'english' | 'indonesian', ReadonlyMap<string, Counted>> = {
  english: new Map([
    ['¢', CENTS],
    ['p', ['penny', 'pence']],
  ]),
  indonesian: new Map([['¢', same('sen')]]),
};
