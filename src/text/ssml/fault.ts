import { LantangError } from '../../errors.js';

/** `ssml_invalid`: what is wrong, with the element and the place (line and column from 1) for the caller's editor. */
export function ssmlFault(source: string, offset: number, element: string, what: string): LantangError {
  const before = source.slice(0, offset);
  const lines = before.split(/\r\n|\r|\n/);
  const line = lines.length;
  const column = lines.at(-1)!.length + 1;
  const place = `line ${line}, column ${column}`;
  const subject = element === '' ? `The SSML at ${place}` : `The element <${element}> at ${place}`;
  return new LantangError('ssml_invalid', `${subject} ${what}`, { context: { element, line, column } });
}
