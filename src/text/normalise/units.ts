import type { Counted } from './language.js';

interface Row {
  signs: readonly string[];
  english: Counted;
  indonesian: string;
  /** Only directly after the digits: with a space between it is more likely a word. */
  attachedOnly?: boolean;
}

function unit(signs: string, english: Counted | string, indonesian: string): Row {
  const counted: Counted = typeof english === 'string' ? [english, `${english}s`] : english;
  return { signs: signs.split(' '), english: counted, indonesian };
}

/** A one-letter or word-like sign. */
function attached(signs: string, english: Counted | string, indonesian: string): Row {
  return { ...unit(signs, english, indonesian), attachedOnly: true };
}

function same(name: string): Counted {
  return [name, name];
}

const ROWS: readonly Row[] = [
  unit('km/h kph km/jam', ['kilometer per hour', 'kilometers per hour'], 'kilometer per jam'),
  unit('m/s m/dtk', ['meter per second', 'meters per second'], 'meter per detik'),
  unit('m/s² m/s2', ['meter per second squared', 'meters per second squared'], 'meter per detik kuadrat'),
  unit('km/s', ['kilometer per second', 'kilometers per second'], 'kilometer per detik'),
  unit('km/l km/L', ['kilometer per liter', 'kilometers per liter'], 'kilometer per liter'),
  unit('mph', ['mile per hour', 'miles per hour'], 'mil per jam'),
  unit('mpg', ['mile per gallon', 'miles per gallon'], 'mil per galon'),
  unit('kg/m³', ['kilogram per cubic meter', 'kilograms per cubic meter'], 'kilogram per meter kubik'),
  unit('g/cm³', ['gram per cubic centimeter', 'grams per cubic centimeter'], 'gram per sentimeter kubik'),
  unit('mg/dL mg/dl', ['milligram per deciliter', 'milligrams per deciliter'], 'miligram per desiliter'),
  unit('mg/L mg/l', ['milligram per liter', 'milligrams per liter'], 'miligram per liter'),
  unit('km² km2 km^2', ['square kilometer', 'square kilometers'], 'kilometer persegi'),
  unit('m² m2 m^2', ['square meter', 'square meters'], 'meter persegi'),
  unit('cm² cm2 cm^2', ['square centimeter', 'square centimeters'], 'sentimeter persegi'),
  unit('mm² mm2', ['square millimeter', 'square millimeters'], 'milimeter persegi'),
  unit('ft² ft2', ['square foot', 'square feet'], 'kaki persegi'),
  unit('m³ m3 m^3', ['cubic meter', 'cubic meters'], 'meter kubik'),
  unit('cm³ cm3', ['cubic centimeter', 'cubic centimeters'], 'sentimeter kubik'),
  unit('km', 'kilometer', 'kilometer'),
  unit('cm', 'centimeter', 'sentimeter'),
  unit('mm', 'millimeter', 'milimeter'),
  unit('µm μm', 'micrometer', 'mikrometer'),
  unit('nm', 'nanometer', 'nanometer'),
  unit('m', 'meter', 'meter'),
  unit('mi', 'mile', 'mil'),
  unit('ft', ['foot', 'feet'], 'kaki'),
  unit('yd yds', 'yard', 'yard'),
  attached('in', ['inch', 'inches'], 'inci'),
  unit('kg kgs', 'kilogram', 'kilogram'),
  unit('mg', 'milligram', 'miligram'),
  unit('µg μg mcg', 'microgram', 'mikrogram'),
  unit('g gr', 'gram', 'gram'),
  unit('lb lbs', 'pound', 'pon'),
  unit('oz', 'ounce', 'ons'),
  unit('tbsp tbs', 'tablespoon', 'sendok makan'),
  unit('tsp', 'teaspoon', 'sendok teh'),
  unit('kl kL', 'kiloliter', 'kiloliter'),
  unit('ml mL', 'milliliter', 'mililiter'),
  unit('cl cL', 'centiliter', 'sentiliter'),
  unit('dl dL', 'deciliter', 'desiliter'),
  unit('L l ltr', 'liter', 'liter'),
  unit('gal', 'gallon', 'galon'),
  unit('ha', 'hectare', 'hektare'),
  unit('°C ℃', ['degree Celsius', 'degrees Celsius'], 'derajat selsius'),
  unit('°F ℉', ['degree Fahrenheit', 'degrees Fahrenheit'], 'derajat Fahrenheit'),
  unit('°', 'degree', 'derajat'),
  attached('K', 'kelvin', 'kelvin'),
  unit('Tbps', ['terabit per second', 'terabits per second'], 'terabit per detik'),
  unit('Gbps Gb/s', ['gigabit per second', 'gigabits per second'], 'gigabit per detik'),
  unit('Mbps Mb/s', ['megabit per second', 'megabits per second'], 'megabit per detik'),
  unit('kbps Kbps kb/s', ['kilobit per second', 'kilobits per second'], 'kilobit per detik'),
  unit('GB/s', ['gigabyte per second', 'gigabytes per second'], 'gigabita per detik'),
  unit('MB/s', ['megabyte per second', 'megabytes per second'], 'megabita per detik'),
  unit('PB', 'petabyte', 'petabita'),
  unit('TB', 'terabyte', 'terabita'),
  unit('GB', 'gigabyte', 'gigabita'),
  unit('MB', 'megabyte', 'megabita'),
  unit('KB kB', 'kilobyte', 'kilobita'),
  unit('GiB', 'gibibyte', 'gibibita'),
  unit('MiB', 'mebibyte', 'mebibita'),
  unit('KiB', 'kibibyte', 'kibibita'),
  unit('Gb', 'gigabit', 'gigabit'),
  unit('Mb', 'megabit', 'megabit'),
  unit('THz', same('terahertz'), 'terahertz'),
  unit('GHz', same('gigahertz'), 'gigahertz'),
  unit('MHz', same('megahertz'), 'megahertz'),
  unit('kHz KHz', same('kilohertz'), 'kilohertz'),
  unit('Hz', same('hertz'), 'hertz'),
  unit('kWh KWh', 'kilowatt hour', 'kilowatt jam'),
  unit('MWh', 'megawatt hour', 'megawatt jam'),
  unit('Wh', 'watt hour', 'watt jam'),
  unit('GW', 'gigawatt', 'gigawatt'),
  unit('MW', 'megawatt', 'megawatt'),
  unit('kW KW', 'kilowatt', 'kilowatt'),
  unit('mW', 'milliwatt', 'miliwatt'),
  attached('W', 'watt', 'watt'),
  unit('kV', 'kilovolt', 'kilovolt'),
  unit('mV', 'millivolt', 'milivolt'),
  attached('V', 'volt', 'volt'),
  unit('mAh', 'milliamp hour', 'miliampere jam'),
  unit('mA', 'milliamp', 'miliampere'),
  attached('A', 'amp', 'ampere'),
  unit('kΩ', 'kilohm', 'kiloohm'),
  unit('Ω', 'ohm', 'ohm'),
  unit('kcal', 'kilocalorie', 'kilokalori'),
  unit('cal', 'calorie', 'kalori'),
  unit('kJ', 'kilojoule', 'kilojoule'),
  attached('J', 'joule', 'joule'),
  unit('kN', 'kilonewton', 'kilonewton'),
  attached('N', 'newton', 'newton'),
  unit('kPa', 'kilopascal', 'kilopascal'),
  unit('hPa', 'hectopascal', 'hektopascal'),
  unit('MPa', 'megapascal', 'megapascal'),
  unit('Pa', 'pascal', 'pascal'),
  unit('psi', ['pound per square inch', 'pounds per square inch'], 'pon per inci persegi'),
  unit('dB', 'decibel', 'desibel'),
  unit('ppm', ['part per million', 'parts per million'], 'bagian per juta'),
  unit('rpm RPM', ['revolution per minute', 'revolutions per minute'], 'putaran per menit'),
  unit('bpm BPM', ['beat per minute', 'beats per minute'], 'ketukan per menit'),
  unit('fps FPS', ['frame per second', 'frames per second'], 'bingkai per detik'),
  unit('dpi DPI', ['dot per inch', 'dots per inch'], 'titik per inci'),
  unit('px', 'pixel', 'piksel'),
  unit('MP', 'megapixel', 'megapiksel'),
  unit('hp HP', same('horsepower'), 'tenaga kuda'),
  unit('ms', 'millisecond', 'milidetik'),
  unit('µs μs', 'microsecond', 'mikrodetik'),
  unit('ns', 'nanosecond', 'nanodetik'),
  unit('hr hrs', 'hour', 'jam'),
  unit('min mins', 'minute', 'menit'),
  unit('sec secs', 'second', 'detik'),
  unit('h', 'hour', 'jam'),
  attached('s', 'second', 'detik'),
  attached('d', 'day', 'hari'),
  unit('yr yrs', 'year', 'tahun'),
  unit('wk wks', 'week', 'minggu'),
  attached('x', ['time', 'times'], 'kali'),
];

export interface Unit {
  name: Counted;
  attachedOnly: boolean;
}

/** Every sign of a unit, case as written → how the language says it. */
export function units(language: 'english' | 'indonesian'): ReadonlyMap<string, Unit> {
  const table = new Map<string, Unit>();
  for (const row of ROWS) {
    const name = language === 'english' ? row.english : same(row.indonesian);
    for (const sign of row.signs) table.set(sign, { name, attachedOnly: row.attachedOnly ?? false });
  }
  return table;
}

/** What an amount may be paid or counted per, as written after a slash. */
export const PER: Record<'english' | 'indonesian', ReadonlyMap<string, string>> = {
  english: new Map(
    Object.entries({
      h: 'hour',
      hr: 'hour',
      hour: 'hour',
      d: 'day',
      day: 'day',
      wk: 'week',
      week: 'week',
      mo: 'month',
      month: 'month',
      yr: 'year',
      year: 'year',
      min: 'minute',
      minute: 'minute',
      s: 'second',
      sec: 'second',
      second: 'second',
      kg: 'kilogram',
      g: 'gram',
      lb: 'pound',
      oz: 'ounce',
      km: 'kilometer',
      mi: 'mile',
      m: 'meter',
      'm²': 'square meter',
      m2: 'square meter',
      L: 'liter',
      l: 'liter',
      gal: 'gallon',
      GB: 'gigabyte',
      kWh: 'kilowatt hour',
      night: 'night',
      person: 'person',
      user: 'user',
      seat: 'seat',
      unit: 'unit',
      item: 'item',
      piece: 'piece',
    }),
  ),
  indonesian: new Map(
    Object.entries({
      jam: 'jam',
      hari: 'hari',
      minggu: 'minggu',
      bulan: 'bulan',
      bln: 'bulan',
      tahun: 'tahun',
      thn: 'tahun',
      th: 'tahun',
      menit: 'menit',
      detik: 'detik',
      kg: 'kilogram',
      g: 'gram',
      km: 'kilometer',
      m: 'meter',
      'm²': 'meter persegi',
      m2: 'meter persegi',
      L: 'liter',
      l: 'liter',
      liter: 'liter',
      gram: 'gram',
      meter: 'meter',
      hektare: 'hektare',
      hektar: 'hektare',
      kilogram: 'kilogram',
      kilometer: 'kilometer',
      US$: 'dolar Amerika',
      USD: 'dolar Amerika',
      GB: 'gigabita',
      kWh: 'kilowatt jam',
      malam: 'malam',
      orang: 'orang',
      unit: 'unit',
      buah: 'buah',
      pcs: 'buah',
      lembar: 'lembar',
    }),
  ),
};
