import type { Pause } from '../engine/concurrency/pauses.ts';
import type { Database } from '../engine/database.ts';
import { type PersonRecord, readPerson } from './export.ts';

/** What the service keeps of a person, by the id of the identity, which may be deleted. */
export interface PersonStore {
  /**
   * All that names the person, a few records at a time; null where nothing does, for which both logs of the tenant are read. What
   * is written meanwhile may be left out. `pause` is awaited between statements, and ends the reading by throwing.
   */
  read(tenant: string, id: string, pause: Pause): Promise<AsyncIterable<PersonRecord> | null>;
}

export const createPersonStore = (database: Database): PersonStore => ({
  read: async (tenant, id, pause) => {
    const records = readPerson({ read: database.read, pause, person: { tenant, id } });
    const first = await records.next();
    return first.done === true ? null : withFirst(first.value, records);
  },
});

async function* withFirst(first: PersonRecord, rest: AsyncIterable<PersonRecord>): AsyncGenerator<PersonRecord> {
  yield first;
  yield* rest;
}
