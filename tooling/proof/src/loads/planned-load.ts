import type { Random } from '../campaign/random.ts';

/** Accounts and the identities that they have made, by id, each with the number of the load that wrote it last. */
export interface SourceWorld {
  readonly accounts: ReadonlyMap<string, number>;
  readonly identities: ReadonlyMap<string, number>;
}

export const EMPTY_WORLD: SourceWorld = { accounts: new Map(), identities: new Map() };

/** The counts of a summary that a load must have. */
export interface ExpectedCounts {
  readonly accounts: {
    readonly created: number;
    readonly updated: number;
    readonly deleted: number;
    readonly unchanged: number;
  };
  readonly identities: { readonly created: number; readonly updated: number };
  readonly access: { readonly added: number; readonly removed: number };
  readonly catalogue: { readonly created: number; readonly updated: number };
  readonly faultCount: number;
}

/** A load before it is made, and what it must do. */
export interface PlannedLoad {
  readonly mode: 'FULL' | 'DELTA';
  readonly dryRun: boolean;
  /** JSON lines. */
  readonly parts: readonly string[];
  readonly records: number;
  readonly state: 'SUCCESS' | 'REFUSED';
  readonly expected: ExpectedCounts;
  readonly after: SourceWorld;
}

/** Of one source. */
const ACCOUNTS = 300;
const PARTS = 6;

export const displayNameOf = (number: number): string => `of load ${number}`;
export const entitlementOf = (source: string, number: number): string => `${source}-e-${number}`;

/** Draws the next load of a source that makes identities: all of its accounts, some of them, a dry run, or one with a bad line. */
export function drawLoad(random: Random, source: string, number: number, world: SourceWorld): PlannedLoad {
  const kind = random(10);
  const mode = kind < 3 ? 'DELTA' : 'FULL';
  const dryRun = kind === 3;
  const isFaulty = kind === 4;
  const records = new Map<string, number>();
  for (let at = 0; at < ACCOUNTS; at++) {
    const id = `${source}-${at}`;
    const before = world.accounts.get(id);
    if (random(6) < (mode === 'FULL' ? 1 : 4)) continue;
    records.set(id, before === undefined || random(3) > 0 ? number : before);
  }
  const after = worldAfter(world, mode, records);
  const lines = [...records].map(([id, written]) => accountLine(source, id, written));
  const parts = Array.from({ length: PARTS }, (_, at) => lines.filter((_, index) => index % PARTS === at));
  parts[random(PARTS)]?.push(
    JSON.stringify({ kind: 'entitlement', id: entitlementOf(source, number), name: `Of load ${number}` }),
  );
  if (isFaulty) parts[random(PARTS)]?.push('{"kind":"account"}');
  return {
    mode,
    dryRun,
    parts: parts.map((each) => each.join('\n')),
    records: records.size,
    state: isFaulty ? 'REFUSED' : 'SUCCESS',
    expected: isFaulty ? REFUSED : countsOf(world, after, records),
    after: dryRun || isFaulty ? world : after,
  };
}

/** A line of an account as another load than any would have it. */
export const draftOf = (source: string): string => accountLine(source, `${source}-0`, -1, []);

const accountLine = (
  source: string,
  id: string,
  number: number,
  access = [{ type: 'ENTITLEMENT', id: entitlementOf(source, number) }],
): string => JSON.stringify({ kind: 'account', id, name: id, displayName: displayNameOf(number), access });

function worldAfter(world: SourceWorld, mode: 'FULL' | 'DELTA', records: ReadonlyMap<string, number>): SourceWorld {
  return {
    accounts: new Map(mode === 'FULL' ? records : [...world.accounts, ...records]),
    identities: new Map([...world.identities, ...records]),
  };
}

const REFUSED: ExpectedCounts = {
  accounts: { created: 0, updated: 0, deleted: 0, unchanged: 0 },
  identities: { created: 0, updated: 0 },
  access: { added: 0, removed: 0 },
  catalogue: { created: 0, updated: 0 },
  faultCount: 1,
};

function countsOf(before: SourceWorld, after: SourceWorld, records: ReadonlyMap<string, number>): ExpectedCounts {
  const changed = countChanged(before.accounts, records);
  const people = countChanged(before.identities, records);
  const deleted = [...before.accounts.keys()].filter((id) => !after.accounts.has(id)).length;
  return {
    accounts: { ...changed, deleted, unchanged: records.size - changed.created - changed.updated },
    identities: people,
    // Each account has one entitlement, that of the load which wrote it.
    access: { added: changed.created + changed.updated, removed: changed.updated + deleted },
    catalogue: { created: 1, updated: 0 },
    faultCount: 0,
  };
}

function countChanged(before: ReadonlyMap<string, number>, records: ReadonlyMap<string, number>) {
  const counts = { created: 0, updated: 0 };
  for (const [id, number] of records) {
    const known = before.get(id);
    if (known === undefined) counts.created += 1;
    else if (known !== number) counts.updated += 1;
  }
  return counts;
}
