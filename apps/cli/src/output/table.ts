/** Lays out rows in columns as wide as their longest cell, two spaces apart. The first row is the head. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows)
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, width(cell));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - width(cell)))
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('');
}

// A style sequence takes no column.
const width = (text: string): number => [...text.replaceAll(STYLE, '')].length;
const STYLE = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g');
