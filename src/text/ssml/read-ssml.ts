import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { LantangError } from '../../errors.js';
import { MappedTextBuilder } from '../mapped-text.js';
import { isDateFormat } from '../normalise/say-as.js';
import {
  NEUTRAL,
  countCodePoints,
  type Cue,
  type Emphasis,
  type Reading,
  type Run,
  type Script,
  type Style,
} from '../script.js';
import { ELEMENTS, isNamespace, type ElementKind } from './elements.js';
import { ssmlFault } from './fault.js';
import { textNode } from './text-node.js';

/** Seconds of pauses that a document may ask for in all: silence costs memory and disk as speech does. */
const MOST_SILENCE = 300;
const DEEPEST = 32;
/** Stands in the text for an element that has none. */
const PLACEHOLDER = '\ufffc';
const DEFAULT_BREAK_SECONDS = 0.5;
const CDATA_START = '<![CDATA[';
const CDATA_END = ']]>';

/** An element that has been opened and not yet closed. */
interface Open {
  name: string;
  kind: ElementKind;
  style: Style;
  reading: Reading | undefined;
  /** In the source: of its tag. */
  offset: number;
  /** In the text: where it began. */
  at: number;
}

type Attributes = Record<string, unknown>;

/**
 * Reads an SSML document. Throws `ssml_invalid` (context: element, line, column) for anything that is not well formed,
 * not known, too long or out of range, and for DOCTYPE and entities, which could make a small document large.
 */
export function readSsml(source: string, mostCharacters = Infinity): Script {
  const length = countCodePoints(source);
  if (length > mostCharacters) {
    throw new LantangError(
      'ssml_invalid',
      `The SSML has ${length} characters; at most ${mostCharacters} are read.`,
      {
        context: { element: 'speak', line: 1, column: 1, length, maximum: mostCharacters },
      },
    );
  }
  return new SsmlReader(source).read();
}

class SsmlReader {
  private readonly parser = new SaxesParser();
  private readonly text = new MappedTextBuilder();
  private readonly runs: Run[] = [];
  private readonly cues: Cue[] = [];
  /** Seconds of pauses so far. */
  private silence = 0;
  private readonly open: Open[] = [];
  /** In the source: end of what was read last. */
  private markupEnd = 0;
  private spoken = 0;

  constructor(private readonly source: string) {}

  read(): Script {
    const { parser } = this;
    parser.on('error', (error) =>
      this.refuse(parser.position, this.open.at(-1)?.name ?? '', reasonOf(error)),
    );
    parser.on('doctype', () => this.refuse(this.tagStart(), '', 'has a DOCTYPE, which is not allowed.'));
    parser.on('text', () => this.addCharacters(parser.position - 1));
    parser.on('cdata', () => this.addCdata());
    parser.on('opentag', (tag) => this.enter(tag));
    parser.on('closetag', () => this.leave());
    parser.on('comment', () => (this.markupEnd = parser.position + 1));
    parser.on('processinginstruction', () => (this.markupEnd = parser.position));
    parser.write(this.source).close();
    const text = this.text.build();
    return { source: this.source, text, runs: this.runs, cues: this.cues, spokenCharacters: this.spoken };
  }

  private refuse(offset: number, element: string, what: string): never {
    throw ssmlFault(this.source, offset, element, what);
  }

  /** Of the tag that was just read: inside a tag there is no other "<". */
  private tagStart(): number {
    return Math.max(this.source.lastIndexOf('<', this.parser.position - 1), 0);
  }

  private enter({ name, attributes }: SaxesTagPlain): void {
    const offset = this.tagStart();
    this.markupEnd = this.parser.position;
    const kind = this.kindOf(name, offset);
    const values = this.valuesOf(name, kind, attributes, offset);
    const parent = this.open.at(-1)?.style ?? NEUTRAL;
    this.open.push({
      name,
      kind,
      style: styleOf(values, parent, name),
      reading: readingOf(name, values),
      offset,
      at: this.text.length,
    });
    this.addCue(name, values, offset);
  }

  private kindOf(name: string, offset: number): ElementKind {
    const parent = this.open.at(-1);
    const kind = Object.hasOwn(ELEMENTS, name) ? ELEMENTS[name] : undefined;
    if (!kind)
      this.refuse(offset, name, `is not known; expected one of ${Object.keys(ELEMENTS).join(', ')}.`);
    if ((name === 'speak') !== (parent === undefined)) {
      this.refuse(
        offset,
        name,
        name === 'speak' ? 'stands inside another element.' : 'stands outside of <speak>.',
      );
    }
    if (parent && parent.kind.content !== 'mixed')
      this.refuse(offset, name, `can't stand inside <${parent.name}>.`);
    if (this.open.length >= DEEPEST) this.refuse(offset, name, `is nested deeper than ${DEEPEST} elements.`);
    return kind;
  }

  private valuesOf(
    name: string,
    kind: ElementKind,
    attributes: Record<string, string>,
    offset: number,
  ): Attributes {
    const values: Attributes = {};
    for (const [attribute, written] of Object.entries(attributes)) {
      if (isNamespace(attribute)) continue;
      const valueKind = Object.hasOwn(kind.attributes, attribute) ? kind.attributes[attribute] : undefined;
      if (!valueKind) this.refuse(offset, name, `has an unknown attribute "${attribute}".`);
      const value = valueKind.parse(written.trim());
      if (value === undefined) {
        this.refuse(
          offset,
          name,
          `has ${attribute}="${written.slice(0, 40)}"; expected ${valueKind.expected}.`,
        );
      }
      values[attribute] = value;
    }
    const missing = kind.required?.find((attribute) => !(attribute in values));
    if (missing !== undefined) this.refuse(offset, name, `needs the attribute "${missing}".`);
    this.checkFormat(name, values, offset);
    return values;
  }

  private checkFormat(name: string, values: Attributes, offset: number): void {
    if (values['interpret-as'] !== 'date' || values.format === undefined) return;
    if (isDateFormat(values.format as string)) return;
    this.refuse(offset, name, 'has a format that is no order of d, m and y, such as "dmy".');
  }

  private addCue(name: string, values: Attributes, offset: number): void {
    const at = this.text.length;
    if (name === 'break') this.addBreak(at, breakSeconds(values), name, offset);
    if (name === 'mark') this.cues.push({ kind: 'mark', at, name: values.name as string });
    this.addBorder(name);
  }

  private addBreak(at: number, seconds: number, name: string, offset: number): void {
    this.silence += seconds;
    if (this.silence > MOST_SILENCE)
      this.refuse(offset, name, `brings the pauses to more than ${MOST_SILENCE} seconds in all.`);
    this.cues.push({ kind: 'break', at, seconds });
  }

  private addBorder(name: string): void {
    if (name === 'p') this.cues.push({ kind: 'paragraph', at: this.text.length });
    if (name === 's') this.cues.push({ kind: 'sentence', at: this.text.length });
  }

  private leave(): void {
    this.markupEnd = this.parser.position;
    const element = this.open.pop()!;
    if (element.reading) this.closeReading(element, element.reading);
    this.addBorder(element.name);
  }

  private closeReading(element: Open, reading: Reading): void {
    if (this.text.length === element.at) this.text.append(PLACEHOLDER, element.offset, this.markupEnd);
    const spoken = reading.kind === 'alias' ? reading.text : undefined;
    if (spoken !== undefined) this.spoken += countCodePoints(spoken);
    this.runs.push({ start: element.at, end: this.text.length, style: element.style, reading });
  }

  private addCharacters(end: number): void {
    this.addText(this.markupEnd, end, false);
    this.markupEnd = end;
  }

  private addCdata(): void {
    const start = this.source.indexOf(CDATA_START, this.markupEnd) + CDATA_START.length;
    this.addText(start, this.parser.position - CDATA_END.length, true);
    this.markupEnd = this.parser.position;
  }

  private addText(start: number, end: number, isCdata: boolean): void {
    const element = this.open.at(-1);
    if (!element) return;
    const node = textNode(this.source, start, end, isCdata);
    if (element.kind.content === 'empty') {
      if (node.text.trim() === '') return;
      this.refuse(start, element.name, 'must be empty.');
    }
    const at = this.text.length;
    this.text.appendMapped(node);
    if (element.reading?.kind !== 'alias') this.spoken += spokenLength(node.text);
    if (!element.reading && node.text !== '')
      this.runs.push({ start: at, end: this.text.length, style: element.style });
  }
}

/** White space between elements lays out the document. */
function spokenLength(text: string): number {
  return text.trim() === '' ? 0 : countCodePoints(text);
}

function breakSeconds({ time, strength }: Attributes): number {
  return (time ?? strength ?? DEFAULT_BREAK_SECONDS) as number;
}

/** Rates multiply; pitches and volumes add up. */
function styleOf(values: Attributes, parent: Style, name: string): Style {
  const inner: Partial<Style['prosody']> = name === 'prosody' ? values : {};
  const { rate = 1, pitch = 0, volume = 0 } = inner;
  const changed = rate !== 1 || pitch !== 0 || volume !== 0;
  return {
    prosody: changed ? combined(parent.prosody, { rate, pitch, volume }) : parent.prosody,
    emphasis: name === 'emphasis' ? ((values.level ?? 'moderate') as Emphasis) : parent.emphasis,
    language: (values['xml:lang'] as string | undefined) ?? parent.language,
  };
}

function combined(outer: Style['prosody'], inner: Style['prosody']): Style['prosody'] {
  const clamp = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most);
  return {
    rate: clamp(outer.rate * inner.rate, 0.25, 4),
    pitch: clamp(outer.pitch + inner.pitch, -10, 10),
    volume: clamp(outer.volume + inner.volume, -96, 12),
  };
}

function readingOf(name: string, values: Attributes): Reading | undefined {
  if (name === 'sub') return { kind: 'alias', text: values.alias as string };
  if (name === 'phoneme') return { kind: 'ipa', phonemes: values.ph as string };
  if (name !== 'say-as') return undefined;
  return {
    kind: 'sayAs',
    interpretAs: values['interpret-as'] as string,
    format: values.format as string | undefined,
  };
}

/** The parser's words without its own line and column. */
function reasonOf(error: Error): string {
  return `is not well formed: ${error.message.replace(/^(?:[^:]{0,100}:)?\d+:\d+:\s*/, '').replace(/\.?$/, '.')}`;
}
