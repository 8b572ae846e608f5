import {
  type AccessRefTable,
  createTimedHoldingsWriter,
  type TimedHoldings,
  timedAssignmentsOf,
} from '@access-admin/domain';
import { unpackAccess } from '../access/records/access-codec.ts';
import type { Pause } from '../engine/concurrency/pauses.ts';

/** Which of the access of holders counts, and what is awaited between them. */
interface Counted {
  /** Milliseconds since 1970: what has ended before is left out. */
  readonly fromMs: number;
  /** Whether that instant alone counts. */
  readonly isInstant: boolean;
  readonly pause: Pause;
}

/** The access of holders, given as it is stored, by numbers of refs; new refs are added to the table. */
export async function timedHoldingsOf(
  held: Iterable<string>,
  refs: AccessRefTable,
  { fromMs, isInstant, pause }: Counted,
): Promise<TimedHoldings> {
  const writer = createTimedHoldingsWriter();
  for (const access of held) {
    writer.add(timedAssignmentsOf(unpackAccess(access), refs, { fromMs, isInstant }));
    await pause();
  }
  return writer.finish(refs.count);
}
