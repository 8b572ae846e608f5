import type { SodViolation } from '@access-admin/domain';
import { stringify } from 'csv-stringify/sync';

/** The columns of an export as CSV, in their order. */
const COLUMNS: Readonly<Record<string, (violation: SodViolation) => string | null | undefined>> = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  status: ({ status }) => status,
  level: ({ level }) => level,
  created: ({ created }) => created,
  modified: ({ modified }) => modified,
  closed: ({ closed }) => closed,
  lastEvaluatedDate: ({ lastEvaluatedDate }) => lastEvaluatedDate,
  targetId: ({ target }) => target.id,
  targetName: ({ target }) => target.name,
  policyId: ({ policy }) => policy.id,
  policyName: ({ policy }) => policy.name,
  ownerId: ({ owner }) => owner?.id,
  ownerName: ({ owner }) => owner?.name,
  conflictingCriteria: ({ conflictingCriteria }) => JSON.stringify(conflictingCriteria),
  exceptionId: ({ exception }) => exception?.id,
  appliedControls: ({ appliedControls }) => JSON.stringify(appliedControls),
  expiration: ({ expiration }) => expiration,
};

/**
 * Violations as CSV (RFC 4180) with a header line; lists are JSON, and null is empty. A cell that a spreadsheet would take for a
 * formula begins with an apostrophe.
 */
export async function* csvOf(violations: AsyncIterable<SodViolation>): AsyncGenerator<string> {
  const cells = Object.values(COLUMNS);
  yield lineOf(Object.keys(COLUMNS));
  for await (const violation of violations) yield lineOf(cells.map((cellOf) => cellOf(violation)));
}

const lineOf = (cells: readonly (string | null | undefined)[]): string =>
  stringify([[...cells]], { record_delimiter: 'windows', quote_record_delimiter: true, escape_formulas: true });
