import type { Database } from '../../engine/database.ts';

/** Which events are removed. */
export interface Expiry {
  /** Events before this time (ISO 8601) are old. */
  readonly before: string;
  readonly now: string;
}

/** Removes some events. True when there may be more. */
export type RemoveExpired = (expiry: Expiry) => Promise<boolean>;

// One call is bounded, however many tenants there are.
const TENANTS_AT_ONCE = 100;
const ROWS_AT_ONCE = 1_000;
/** A time that is further ahead comes from a clock that was ahead. It says nothing about the age of its event. */
const AHEAD_MS = 24 * 3_600_000;

/**
 * Removes some of the oldest events of some tenants, up to the first that is not old; the next call goes on with other
 * tenants. The numbers of other events do not change.
 */
export function createRemoval(database: Database): RemoveExpired {
  let after = '';
  let isMore = false;
  return async ({ before, now }) => {
    const ahead = new Date(Date.parse(now) + AHEAD_MS).toISOString();
    const ageOf: AgeOf = ({ time }) => (time < before ? 'old' : time > ahead ? 'unknown' : 'young');
    const firsts = await readFirstEvents(database, after);
    for (const first of firsts)
      if (ageOf(first) !== 'young' && (await removeSome(database, first, ageOf))) isMore = true;
    const isEnd = firsts.length < TENANTS_AT_ONCE;
    const result = isMore || !isEnd;
    after = isEnd ? '' : (firsts.at(-1)?.tenant ?? '');
    if (isEnd) isMore = false;
    return result;
  };
}

interface TimedEvent {
  readonly sequence: number;
  readonly time: string;
}

type AgeOf = (event: TimedEvent) => 'old' | 'young' | 'unknown';

/** The first kept event of a tenant, and the sequence of its last. */
interface FirstEvent extends TimedEvent {
  readonly tenant: string;
  readonly last: number;
}

const readFirstEvents = (database: Database, after: string): Promise<readonly FirstEvent[]> =>
  database.read((db) =>
    db
      .selectFrom('event_head')
      .innerJoin('event', (join) =>
        join
          .onRef('event.tenant', '=', 'event_head.tenant')
          .on((eb) => eb('event.sequence', '=', eb('event_head.removed_to', '+', 1))),
      )
      .select(['event_head.tenant', 'event_head.sequence as last', 'event.sequence', 'event.time'])
      .where('event_head.tenant', '>', after)
      .orderBy('event_head.tenant')
      .limit(TENANTS_AT_ONCE)
      .execute(),
  );

/** Removes a page of events up to the last old one before the first young one. */
async function removeSome(database: Database, first: FirstEvent, ageOf: AgeOf): Promise<boolean> {
  const { tenant, sequence } = first;
  const rows = await database.read((db) =>
    db
      .selectFrom('event')
      .select(['sequence', 'time'])
      .where('tenant', '=', tenant)
      .where('sequence', '>=', sequence)
      .orderBy('sequence')
      .limit(ROWS_AT_ONCE)
      .execute(),
  );
  const young = rows.findIndex((row) => ageOf(row) === 'young');
  const earlier = young < 0 ? rows : rows.slice(0, young);
  let last = earlier.findLast((row) => ageOf(row) === 'old');
  if (last === undefined && young < 0 && (await isOldBeyond(database, first, ageOf))) last = rows.at(-1);
  if (last === undefined) return false;
  await removeThrough(database, tenant, last.sequence);
  return young < 0;
}

/**
 * Whether a page without a known age is old, by a few later events: the first of them that has a known age was stored after
 * the page.
 */
async function isOldBeyond(database: Database, { tenant, sequence, last }: FirstEvent, ageOf: AgeOf): Promise<boolean> {
  const sequences = [last];
  for (let distance = ROWS_AT_ONCE; sequence + distance < last; distance *= 2) sequences.push(sequence + distance);
  const rows = await database.read((db) =>
    db
      .selectFrom('event')
      .select(['sequence', 'time'])
      .where('tenant', '=', tenant)
      .where('sequence', 'in', sequences)
      .orderBy('sequence')
      .execute(),
  );
  return rows.map(ageOf).find((age) => age !== 'unknown') === 'old';
}

async function removeThrough(database: Database, tenant: string, sequence: number): Promise<void> {
  await database.write({ tenant, changes: 'events', isSweep: true }, async (trx) => {
    await trx.deleteFrom('event').where('tenant', '=', tenant).where('sequence', '<=', sequence).execute();
    await trx
      .updateTable('event_head')
      .set({ removed_to: sequence })
      .where('tenant', '=', tenant)
      .where('removed_to', '<', sequence)
      .execute();
  });
}
