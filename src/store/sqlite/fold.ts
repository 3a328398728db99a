/**
 * The form in which texts are compared: lower case, composed (NFC), one sigma. NUL, which ends a text for SQLite's
 * tokenizer, becomes the replacement character.
 */
export function fold(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ').replaceAll('\0', '\uFFFD').normalize('NFC');
}

/** Whether the text has `folded` in it, which is folded already. */
export function contains(text: string, folded: string): boolean {
  return fold(text).includes(folded);
}
