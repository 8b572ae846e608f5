import { escapeControls, type Styled } from './escape.ts';

/** A cell of a table: data, or data in a style. */
export type Cell = string | Styled;

/** Lays out rows in columns as wide as their longest cell, two spaces apart. The first row is the head. */
export function formatTable(rows: readonly (readonly Cell[])[]): string {
  const cells = rows.map((row) =>
    row.map((cell): Styled => {
      if (typeof cell !== 'string') return cell;
      const plain = escapeControls(cell);
      return { plain, toString: () => plain };
    }),
  );
  const widths: number[] = [];
  for (const row of cells)
    for (const [column, { plain }] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, width(plain));
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - width(cell.plain)))
        .join('  ')
        .trimEnd(),
    )
    .map((text) => `${text}\n`)
    .join('');
}

const width = (text: string): number => [...text].length;
