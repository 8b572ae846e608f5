import type { AccessModelRecord } from '@access-admin/domain';
import type { Store } from '@access-admin/store';
import { importRecords } from '../world/seed-population.ts';
import { catalogueRecords, peopleRecords } from './people.ts';

const PEOPLE = 10_000;

/** The cost of one import of 10,000 identities, in ms. */
export interface ImportCost {
  readonly name: string;
  readonly ms: number;
  /** Of this process: the server of PostgreSQL has its own. */
  readonly cpuMs: number;
}

/** Imports that create, change and leave identities with 20 assignments each, in an empty store. */
export async function measureImports(store: Store): Promise<readonly ImportCost[]> {
  await importRecords(store, [...catalogueRecords()]);
  const imports: readonly (readonly [string, AccessModelRecord[]])[] = [
    ['new identities', [...peopleRecords(PEOPLE)]],
    ['other names and assignments', [...peopleRecords(PEOPLE, 1)]],
    ['the same again', [...peopleRecords(PEOPLE, 1)]],
  ];
  const costs: ImportCost[] = [];
  for (const [name, records] of imports) {
    const [start, before] = [performance.now(), process.cpuUsage()];
    await importRecords(store, records);
    const { user, system } = process.cpuUsage(before);
    costs.push({ name, ms: performance.now() - start, cpuMs: (user + system) / 1000 });
  }
  return costs;
}
