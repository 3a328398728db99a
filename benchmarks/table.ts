/** Rows of equal keys as a Markdown table; numbers stand on the right. */
export function formatTable(rows: readonly Record<string, string | number>[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const cells = [columns, ...rows.map((row) => columns.map((column) => String(row[column] ?? '')))];
  const widths = columns.map((_, index) =>
    Math.max(3, ...cells.map((line) => [...(line[index] ?? '')].length)),
  );
  const toRight = columns.map((column) => rows.every((row) => /^[\d(]/.test(String(row[column]))));
  const line = (values: string[]) => `| ${values.map((value, index) => pad(value, index)).join(' | ')} |`;
  const pad = (value: string, index: number) =>
    toRight[index] ? value.padStart(widths[index] ?? 0) : value.padEnd(widths[index] ?? 0);
  const rule = widths.map((width, index) =>
    toRight[index] ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width),
  );
  const [head = [], ...body] = cells;
  return [line(head), line(rule), ...body.map(line)].join('\n');
}
