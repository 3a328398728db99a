import { clean } from '../clean.js';
import { MappedTextBuilder, type MappedText } from '../mapped-text.js';

const PIECE = /&(?:#x([0-9a-fA-F]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));|\s+|[^&\s]+|&/g;
const PREDEFINED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * The characters of a text node, [start, end) of the document, with their places in it. References are resolved, and
 * every stretch of white space becomes one space: in XML line breaks lay out the document, not the speech.
 */
export function textNode(source: string, start: number, end: number, isCdata: boolean): MappedText {
  const out = new MappedTextBuilder();
  const node = source.slice(start, end);
  for (const match of node.matchAll(isCdata ? /\s+|\S+/g : PIECE)) {
    const [piece] = match;
    const from = start + match.index;
    const resolved = isCdata ? undefined : resolve(match);
    if (resolved !== undefined) out.append(resolved, from, from + piece.length);
    else if (/^\s/.test(piece)) out.append(' ', from, from + piece.length);
    else
      for (let unit = 0; unit < piece.length; unit++) out.append(piece[unit]!, from + unit, from + unit + 1);
  }
  return clean(out.build());
}

function resolve([, hexadecimal, decimal, name]: RegExpMatchArray): string | undefined {
  if (name !== undefined) return PREDEFINED[name];
  if (hexadecimal === undefined && decimal === undefined) return undefined;
  const point = hexadecimal === undefined ? Number(decimal) : parseInt(hexadecimal, 16);
  const character = String.fromCodePoint(point);
  return /\s/.test(character) ? ' ' : character;
}
