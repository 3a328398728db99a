/** Prints rows under their heads, in columns as wide as their widest cell. */
export function printTable(heads: string[], rows: string[][]): void {
  const widths = heads.map((head, column) =>
    Math.max(head.length, ...rows.map((row) => row[column]!.length)),
  );
  const line = (row: string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd();
  console.log([line(heads), line(widths.map((width) => '─'.repeat(width))), ...rows.map(line)].join('\n'));
}
