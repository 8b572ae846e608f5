import { pick, textOf } from './search-parts.ts';

/** What the rows of the heat map are: systems, tags, or the sides of all policies as a picture of their own. */
export const MATRIX_ROWS = ['system', 'tag', 'side'] as const;

export type MatrixRows = (typeof MATRIX_ROWS)[number];

/** What the matrix shows, as its address says it. */
export interface MatrixSearch {
  readonly rows?: MatrixRows;
  /** The row and the column of the cell whose sides are shown. */
  readonly row?: string;
  readonly column?: string;
}

/** The search of an address; parts that are not understood are left out. */
export const parseMatrixSearch = ({ rows, row, column }: Readonly<Record<string, unknown>>): MatrixSearch => ({
  ...pick('rows', MATRIX_ROWS, rows),
  ...textOf('row', row),
  ...textOf('column', column),
});
