/** How far back an opening quotation mark is looked for. */
const NEIGHBOURHOOD = 200;

/** Whether a quotation begins before it: then the mark ends that. Marks after figures are taken for inches. */
export function isQuoted({ input, index }: RegExpExecArray): boolean {
  let isOpen = false;
  for (let at = Math.max(0, index - NEIGHBOURHOOD); at < index; at++) {
    if (input[at] === '"' && (isOpen || !/\d/.test(input[at - 1] ?? ''))) isOpen = !isOpen;
  }
  return isOpen;
}
