import type { SodReportViolation } from '@access-admin/client';

/** The columns of a file of comma-separated values, in their order, each with what it has of a line. */
export type Columns<Line> = Readonly<Record<string, (line: Line) => string | null | undefined>>;

const COLUMNS: Columns<SodReportViolation> = {
  change: ({ change }) => change,
  identityId: ({ identityId }) => identityId,
  displayName: ({ displayName }) => displayName,
  policyId: ({ policyId }) => policyId,
  policyName: ({ policyName }) => policyName,
  level: ({ level }) => level,
  conflictingAccessCriteria: ({ conflictingAccessCriteria }) => JSON.stringify(conflictingAccessCriteria),
  exceptionId: ({ exception }) => exception?.id,
  exceptionEnd: ({ exception }) => exception?.end,
};

type Pages = AsyncIterable<readonly SodReportViolation[]>;

/** Violations as comma-separated values; the conflict is JSON, as in exports of the register. */
export const csvOf = (pages: Pages): AsyncGenerator<string> => writeCsv(COLUMNS, pages);

/** Lines as comma-separated values (RFC 4180) with a header line. */
export async function* writeCsv<Line>(
  columns: Columns<Line>,
  pages: AsyncIterable<readonly Line[]> | Iterable<readonly Line[]>,
): AsyncGenerator<string> {
  const cells = Object.values(columns);
  yield `${Object.keys(columns).map(quote).join()}\r\n`;
  for await (const lines of pages)
    yield lines.map((line) => `${cells.map((cell) => quote(cell(line) ?? '')).join()}\r\n`).join('');
}

/** Violations as JSON, one a line, as the service gives them. */
export async function* ndjsonOf(pages: Pages): AsyncGenerator<string> {
  for await (const lines of pages) yield lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

function quote(cell: string): string {
  // A spreadsheet would take such a cell for a formula.
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
