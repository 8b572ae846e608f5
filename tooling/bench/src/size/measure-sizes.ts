import type { AccessAdminClient, AccessModelInput } from '@access-admin/client';
import { openRowReader, type RowReader } from '@access-admin/harness';
import { inParts } from '@access-admin/store';
import { cpuSecondsOf, cpuSecondsOfFamily } from '../measure/process-usage.ts';
import { waitUntil } from '../measure/wait-until.ts';
import { catalogue, type Holding, personOf, requestOf } from './company.ts';

/** A service on PostgreSQL whose database is its own, with one worker. */
export interface SizedService {
  readonly client: AccessAdminClient;
  readonly databaseUrl: string;
  readonly pids: { readonly api: number; readonly worker: number; readonly database: number };
}

/** Bytes on the disk of the database, indexes included, of one of each. */
export interface Bytes {
  readonly assignment: number;
  /** Without its assignments. */
  readonly identity: number;
  readonly violation: number;
  readonly event: number;
  /** The entries of the audit log of a new identity, without its assignments; of each of these; and of a change of one of them. */
  readonly auditOfIdentity: number;
  readonly auditOfAssignment: number;
  readonly auditOfChange: number;
  readonly check: number;
}

/** Microseconds of CPU. */
export interface Cost {
  readonly api: number;
  readonly worker: number;
  readonly database: number;
}

export interface Sizes {
  readonly bytes: Bytes;
  readonly costs: Readonly<Record<'import of an identity' | 'change of an identity' | 'predict' | 'check', Cost>>;
  /** What has grown and belongs to none of these: it must not be much. In bytes. */
  readonly rest: number;
}

const FEW = 10;
const MANY = 50;
/** How often people are added, and the assignments of one of them on average: each that violates has two more. */
const STEPS = 4;
const ASSIGNMENTS = (FEW + 2 + FEW + MANY + FEW + 2) / STEPS;
const AT_ONCE = 16;
const LOOK_EVERY_MS = 100;

type Room = 'people' | 'audit' | 'events' | 'violations' | 'checks' | 'rest';

/** The tables of each. */
const ROOMS: Readonly<Record<Exclude<Room, 'rest'>, readonly string[]>> = {
  people: ['identity', 'search_entry'],
  audit: ['audit_event', 'audit_event_member', 'audit_head'],
  events: ['event', 'event_head'],
  violations: ['sod_violation', 'register_head', 'register_day', 'register_due', 'register_policy', 'register_count'],
  checks: ['sod_check'],
};

/** Fills the database of an empty service with four times as many people, and measures what that takes. */
export async function measureSizes({ client, databaseUrl, pids }: SizedService, people: number): Promise<Sizes> {
  await using reader = await openRowReader(databaseUrl);
  let next = 0;
  const importAll = async (records: Iterable<AccessModelInput>) => {
    for (const part of inParts([...records])) await client.accessModel.import(part);
  };
  const addPeople = async (holding: Holding) => {
    const first = next;
    next += people;
    await importAll(Array.from({ length: people }, (_, at) => personOf(first + at, holding)));
    return first;
  };
  const violations = () => countOf(reader, 'sod_violation');
  /** What an action adds, and the CPU that it takes for each person. */
  const measured = async (action: () => Promise<unknown>) => {
    const before = await readSizes(reader);
    const cpu = readCpu(pids);
    await action();
    await isCaughtUp(reader);
    const cost = costSince(cpu, pids, people);
    const grown = await readSizes(reader);
    const added = (room: Room, of: keyof RoomSize = 'all') => (grown[room][of] - before[room][of]) / people;
    return { added, cost };
  };

  await importAll(catalogue());
  await isCaughtUp(reader);
  const empty = await readSizes(reader);
  // The first rows of a table make whole pages.
  await addPeople({ assignments: FEW, isViolating: true });
  await isCaughtUp(reader);
  const few = await measured(() => addPeople({ assignments: FEW }));
  const many = await measured(() => addPeople({ assignments: MANY }));
  const known = await violations();
  const eventsBefore = await countOf(reader, 'event');
  let first = 0;
  const violating = await measured(async () => {
    first = await addPeople({ assignments: FEW, isViolating: true });
    await waitUntil(async () => (await violations()) === known + people, LOOK_EVERY_MS);
  });
  const events = (await countOf(reader, 'event')) - eventsBefore;
  const full = await readSizes(reader);
  const changed = await measured(() =>
    importAll(
      Array.from({ length: people }, (_, at) => personOf(first + at, { assignments: FEW + 1, isViolating: true })),
    ),
  );
  const predicted = await measured(() =>
    inTurns(people, async (at) => void (await client.sodViolations.predict(requestOf(at)))),
  );
  const checked = await measured(async () => {
    await inTurns(people, async (at) => void (await client.sodViolations.check(requestOf(at))));
    await waitUntil(async () => (await countOf(reader, `sod_check where state = 'PENDING'`)) === 0, LOOK_EVERY_MS);
  });

  // Indexes have none of assignments. How full their pages are goes up and down as they grow: each is taken from nothing on.
  const perAssignment = (room: Room) => (many.added(room, 'rows') - few.added(room, 'rows')) / (MANY - FEW);
  const perIdentity = (room: Room) =>
    (full[room].all - empty[room].all) / (STEPS * people) - ASSIGNMENTS * perAssignment(room);
  return {
    bytes: {
      assignment: perAssignment('people'),
      identity: perIdentity('people'),
      violation: (full.violations.all - empty.violations.all) / (2 * people),
      event: (violating.added('events') * people) / events,
      auditOfIdentity: perIdentity('audit'),
      auditOfAssignment: perAssignment('audit'),
      auditOfChange: changed.added('audit'),
      check: checked.added('checks'),
    },
    costs: {
      'import of an identity': few.cost,
      'change of an identity': changed.cost,
      predict: predicted.cost,
      check: checked.cost,
    },
    rest: people * [few, many, violating, changed, checked].reduce((sum, { added }) => sum + added('rest'), 0),
  };
}

/** Microseconds of CPU for each of `count` since an earlier reading. */
const costSince = (before: Cost, pids: SizedService['pids'], count: number): Cost => {
  const after = readCpu(pids);
  const each = (part: keyof Cost) => ((after[part] - before[part]) * 1e6) / count;
  return { api: each('api'), worker: each('worker'), database: each('database') };
};

/** Seconds of CPU so far. The database has a process for each connection. */
const readCpu = ({ api, worker, database }: SizedService['pids']): Cost => ({
  api: cpuSecondsOf(api),
  worker: cpuSecondsOf(worker),
  database: cpuSecondsOfFamily(database),
});

/** In bytes: rows alone, and with their indexes. */
interface RoomSize {
  readonly rows: number;
  readonly all: number;
}

async function readSizes(reader: RowReader): Promise<Readonly<Record<Room, RoomSize>>> {
  await reader.read('vacuum (analyze)');
  const tables = await reader.read<{ readonly name: string; readonly rows: string; readonly all: string }>(
    `select relname as name, pg_table_size(oid) as rows, pg_total_relation_size(oid) as all from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  const sizeOf = (isIn: (name: string) => boolean): RoomSize => {
    const sum = (of: keyof RoomSize) =>
      tables.reduce((total, table) => total + (isIn(table.name) ? Number(table[of]) : 0), 0);
    return { rows: sum('rows'), all: sum('all') };
  };
  const named: readonly string[] = Object.values(ROOMS).flat();
  return {
    people: sizeOf((name) => ROOMS.people.includes(name)),
    audit: sizeOf((name) => ROOMS.audit.includes(name)),
    events: sizeOf((name) => ROOMS.events.includes(name)),
    violations: sizeOf((name) => ROOMS.violations.includes(name)),
    checks: sizeOf((name) => ROOMS.checks.includes(name)),
    rest: sizeOf((name) => !named.includes(name)),
  };
}

const countOf = async (reader: RowReader, table: string): Promise<number> => {
  const [row] = await reader.read<{ readonly count: string }>(`select count(*) as count from ${table}`);
  return Number(row?.count);
};

/** The register has all changes. */
const isCaughtUp = (reader: RowReader): Promise<void> =>
  waitUntil(async () => {
    const behind = await reader.read('select 1 from tenant where register_behind_since is not null');
    return behind.length === 0;
  }, LOOK_EVERY_MS);

/** Some calls at once, each number once. */
async function inTurns(count: number, call: (at: number) => Promise<void>): Promise<void> {
  let next = 0;
  const run = async () => {
    while (next < count) await call(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, run));
}
