import type { NewEvent } from '@access-admin/domain';
import type { Transaction } from 'kysely';
import type { SodViolationRow, Tables } from '../../../schema/tables.ts';
import { rowToViolation } from './codec.ts';
import { readViews } from './show.ts';

/** What happened to a violation. */
export type ViolationEvent = 'opened' | 'mitigated' | 'reopened' | 'remediated' | 'closed';

/** An event of a violation, with the violation as it is shown now. */
export interface EventOfViolation {
  readonly event: ViolationEvent;
  readonly row: SodViolationRow;
}

/** The events of violations, as of an instant. */
export async function eventsOf(
  trx: Transaction<Tables>,
  changes: readonly EventOfViolation[],
  asOf: string,
): Promise<readonly NewEvent[]> {
  const rows = changes.map(({ row }) => row);
  // Controls are applied to violations that are known.
  const controlled = changes.flatMap(({ event, row }) => (event === 'opened' ? [] : row));
  const viewOf = await readViews(trx, rows, { asOf, controlled });
  return changes.map(({ event, row }) => ({
    type: `sod.violation.${event}`,
    resourceId: row.id,
    time: row.modified,
    data: JSON.stringify(rowToViolation(row, viewOf(row))),
  }));
}

export const eventAtEnd = (status: string): ViolationEvent => (status === 'Closed' ? 'closed' : 'remediated');

/** What a change of an exception means; null where it means nothing. */
export function eventOfCoverage(wasMitigated: boolean, isMitigated: boolean): ViolationEvent | null {
  if (wasMitigated === isMitigated) return null;
  return isMitigated ? 'mitigated' : 'reopened';
}
