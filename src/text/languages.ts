/** BCP 47 → espeak-ng's voice, where it is not simply the language. */
const VOICES = new Map(
  Object.entries({
    en: 'en-us',
    'en-us': 'en-us',
    'en-ca': 'en-us',
    'en-gb': 'en-gb',
    zh: 'cmn',
    'zh-cn': 'cmn',
    'zh-tw': 'cmn',
    'zh-hk': 'yue',
    'pt-br': 'pt-br',
    'es-mx': 'es-419',
    'es-us': 'es-419',
    no: 'nb',
    he: 'he',
    iw: 'he',
    jv: 'id',
    su: 'id',
  }),
);

/** Scripts that a voice of another script can't read, and who can; the most likely language of each. */
const SCRIPTS: readonly [script: RegExp, voice: string, readers: readonly string[]][] = [
  [/\p{Script=Cyrillic}/u, 'ru', ['ru', 'uk', 'bg', 'sr', 'mk', 'be', 'kk', 'ky', 'tt', 'mn', 'ba', 'cv']],
  [/\p{Script=Arabic}/u, 'ar', ['ar', 'fa', 'ur', 'ug', 'sd', 'ps']],
  [/\p{Script=Hebrew}/u, 'he', ['he', 'yi']],
  [/\p{Script=Greek}/u, 'el', ['el', 'grc']],
  [/\p{Script=Devanagari}/u, 'hi', ['hi', 'mr', 'ne', 'kok', 'sa']],
  [/\p{Script=Bengali}/u, 'bn', ['bn', 'as', 'bpy']],
  [/\p{Script=Tamil}/u, 'ta', ['ta']],
  [/\p{Script=Telugu}/u, 'te', ['te']],
  [/\p{Script=Kannada}/u, 'kn', ['kn']],
  [/\p{Script=Malayalam}/u, 'ml', ['ml']],
  [/\p{Script=Gujarati}/u, 'gu', ['gu']],
  [/\p{Script=Gurmukhi}/u, 'pa', ['pa']],
  [/\p{Script=Sinhala}/u, 'si', ['si']],
  [/\p{Script=Georgian}/u, 'ka', ['ka']],
  [/\p{Script=Armenian}/u, 'hy', ['hy', 'hyw']],
  [/\p{Script=Ethiopic}/u, 'am', ['am', 'om']],
  [/\p{Script=Hangul}/u, 'ko', ['ko']],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja', ['ja']],
  [/\p{Script=Han}/u, 'cmn', ['cmn', 'yue', 'hak', 'ja']],
  [/\p{Script=Thai}/u, 'th', ['th']],
];

/** espeak-ng's voice for a language; `own` where it is the language that the voice speaks anyway. */
export function espeakVoiceOf(tag: string, own: string): string {
  const lower = tag.toLowerCase().replace('_', '-');
  const primary = lower.split('-')[0]!;
  const voice = VOICES.get(lower) ?? VOICES.get(primary) ?? primary;
  const isOwn = primary === own.split('-')[0] && (lower === primary || voice === own || !VOICES.has(lower));
  return isOwn ? own : voice;
}

/** Who reads a word that is written in a script which `own` does not know; undefined when it does. */
export function voiceOfScript(word: string, own: string): string | undefined {
  if (/^[\p{ASCII}\p{Script=Latin}]+$/u.test(word)) return undefined;
  const [, voice, readers] = SCRIPTS.find(([script]) => script.test(word)) ?? [];
  return voice === undefined || readers!.includes(own.split('-')[0]!) ? undefined : voice;
}
