/** How one kind of setting is read from the environment's strings and printed for the README. */
export interface Kind<T> {
  /** `fault` completes the sentence "X must be …". */
  parse(raw: string): { value: T } | { fault: string };
  print(value: T): string;
  /** What an error calls a wrong value, where it must not be shown; else the value itself. */
  describe?(raw: string): string;
}

export function text(): Kind<string> {
  return { parse: (raw) => ({ value: raw }), print: (value) => `\`${value}\`` };
}

const KEY = /^[\x21-\x7e]{16,200}$/;

/** What fits into a header as it is, and can't be guessed by trying. It is never shown. */
export function secret(): Kind<string> {
  return {
    parse: (raw) =>
      KEY.test(raw)
        ? { value: raw }
        : { fault: '16 to 200 letters, digits and signs of ASCII without spaces or line breaks' },
    print: () => '',
    describe: (raw) => {
      const odd = /[^\x21-\x7e]/.test(raw) ? ', some of another kind' : '';
      return `has ${raw.length} characters${odd}`;
    },
  };
}

/** Absent unless set. */
export function optional<T>(kind: Kind<T>): Kind<T | undefined> {
  return {
    ...(kind.describe ? { describe: (raw: string) => kind.describe!(raw) } : {}),
    parse: (raw) => kind.parse(raw),
    print: (value) => (value === undefined ? '' : kind.print(value)),
  };
}

export function number(minimum: number, maximum: number): Kind<number> {
  return numeric(minimum, maximum, 'a number', (raw) => /^-?\d+(\.\d+)?$/.test(raw));
}

export function integer(minimum: number, maximum: number): Kind<number> {
  return numeric(minimum, maximum, 'a whole number', (raw) => /^-?\d+$/.test(raw));
}

function numeric(
  minimum: number,
  maximum: number,
  noun: string,
  spelled: (raw: string) => boolean,
): Kind<number> {
  return {
    parse(raw) {
      const value = Number(raw);
      const inside = spelled(raw) && value >= minimum && value <= maximum;
      return inside ? { value } : { fault: `${noun} from ${minimum} to ${maximum}` };
    },
    print: String,
  };
}

/** The spellings of true and false that people use, in any case; also how requests are read. */
export function parseBoolean(raw: string): boolean | undefined {
  if (/^(true|t|1|yes|y|on)$/i.test(raw)) return true;
  if (/^(false|f|0|no|n|off)$/i.test(raw)) return false;
  return undefined;
}

export function boolean(): Kind<boolean> {
  return {
    parse(raw) {
      const value = parseBoolean(raw);
      return value === undefined ? { fault: 'true or false' } : { value };
    },
    print: String,
  };
}

const BYTE_UNITS: Record<string, number> = { '': 1, b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 };

/** `262144`, `256KB`, `1.5 MB`; 1 KB is 1024 bytes. */
export function bytes(): Kind<number> {
  return {
    parse(raw) {
      const parts = /^(\d+(?:\.\d+)?)\s*([kmg]?b)?$/i.exec(raw);
      if (!parts) return { fault: 'a size such as 262144, 256KB or 1MB' };
      return { value: Math.round(Number(parts[1]) * BYTE_UNITS[parts[2]?.toLowerCase() ?? '']!) };
    },
    print: String,
  };
}

export function choice<const T extends string>(options: readonly T[]): Kind<T> {
  return {
    parse(raw) {
      const value = options.find((option) => option === raw.toLowerCase());
      return value === undefined ? { fault: `one of ${options.join(', ')}` } : { value };
    },
    print: (value) => `\`${value}\``,
  };
}

/** `a,b,c`; white space and empty items do not count. */
export function list(): Kind<string[]> {
  return {
    parse: (raw) => ({ value: splitList(raw) }),
    print: (value) => `\`${value.join(',')}\``,
  };
}

/** `public=local,…`. */
export function aliases(): Kind<Record<string, string>> {
  return {
    parse(raw) {
      const pairs = splitList(raw).map((item) => item.split('=').map((side) => side.trim()));
      const whole = pairs.every((pair) => pair.length === 2 && pair.every((side) => side !== ''));
      return whole
        ? { value: Object.fromEntries(pairs) as Record<string, string> }
        : { fault: 'like public=local,other=local' };
    },
    print: (value) =>
      Object.entries(value)
        .map((pair) => pair.join('='))
        .join(','),
  };
}

/** An http(s) URL, without its trailing slash. */
export function webAddress(): Kind<string> {
  return {
    parse(raw) {
      const url = URL.canParse(raw) ? new URL(raw) : undefined;
      const usable = url && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '';
      return usable
        ? { value: url.href.replace(/\/$/, '') }
        : { fault: 'a URL such as https://speech.example.org' };
    },
    print: (value) => `\`${value}\``,
  };
}

function splitList(raw: string): string[] {
  return raw
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
