/** What plots are drawn with. Lengths are in SVG's user units. */

export function text(x: number, y: number, content: string, attributes: Record<string, string> = {}): string {
  const escaped = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const all = Object.entries({ x: x.toFixed(1), y: y.toFixed(1), ...attributes });
  return `<text ${all.map(([name, value]) => `${name}="${value}"`).join(' ')}>${escaped}</text>`;
}

/** An SVG image of that size around `lines`. */
export function image(width: number, height: number, lines: readonly string[]): string {
  const opening = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`;
  return [opening, ...lines, '</svg>\n'].join('\n');
}
