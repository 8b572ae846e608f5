import type { NewEvent } from '@access-admin/domain';
import type { Transaction } from 'kysely';
import type { SodViolationRow, Tables } from '../../schema/tables.ts';
import { createViolationWriter } from './codec.ts';
import { readViews } from './show.ts';

/** What happened to a violation. */
export type Happened = 'opened' | 'mitigated' | 'reopened' | 'remediated' | 'closed';

/** A violation of which something is told, as it is shown now. */
export interface Told {
  readonly happened: Happened;
  readonly row: SodViolationRow;
}

/** The events of violations, as of the register's moment. */
export async function eventsOf(
  trx: Transaction<Tables>,
  told: readonly Told[],
  asOf: string,
): Promise<Iterable<NewEvent>> {
  const rows = told.map(({ row }) => row);
  // Controls are applied to violations that are known.
  const controlled = told.flatMap(({ happened, row }) => (happened === 'opened' ? [] : row));
  const viewOf = await readViews(trx, rows, { asOf, controlled });
  return writeEvents(told, viewOf);
}

function* writeEvents(told: readonly Told[], viewOf: ViewOf): Generator<NewEvent> {
  const toJson = createViolationWriter();
  for (const { happened, row } of told)
    yield {
      type: `sod.violation.${happened}`,
      subject: `/violations/v1/${row.id}`,
      time: row.modified,
      data: toJson(row, viewOf(row)),
    };
}

type ViewOf = Awaited<ReturnType<typeof readViews>>;

export const happenedAtEnd = (status: string): Happened => (status === 'Closed' ? 'closed' : 'remediated');

/** What a change of an exception means; null where it means nothing. */
export function happenedToExcepted(wasMitigated: boolean, isMitigated: boolean): Happened | null {
  if (wasMitigated === isMitigated) return null;
  return isMitigated ? 'mitigated' : 'reopened';
}
