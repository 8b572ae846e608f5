import {
  type AccessModelRecord,
  accountRef,
  approveException,
  atLeastOf,
  auditContextOf,
  requestException,
  revokeException,
  SOURCE_DEFAULTS,
  type SodExceptionRecord,
  type SodPolicy,
  sidesOf,
  type TimedAccessRef,
} from '@access-admin/domain';
import type { Store } from '@access-admin/store';
import { identity, importAt, policyOf, policyRecord } from './report-world.ts';

const DAY_MS = 86_400_000;
/** Windows begin and end at multiples of this; a full comparison, once a day, must not be what finds them. */
const WINDOW_STEP_MS = DAY_MS / 8;
/** Shorter than the day between two full comparisons. */
const TIMES_WITHIN_A_DAY_MS = [WINDOW_STEP_MS, 2 * WINDOW_STEP_MS, 4 * WINDOW_STEP_MS];
const ENTITLEMENTS = ['a', 'b', 'c', 'd'];
const IDENTITIES = ['i-0', 'i-1', 'i-2', 'i-3', 'i-4', 'i-5'];
const POLICIES = ['p', 'q', 'r'];
const SOURCES = ['s-1', 's-2'];

type Random = (end: number) => number;

/** A small tenant whose state is also kept in memory, as plainly as possible. */
export interface RegisterWorld {
  nowMs: number;
  /** What the present violations must be at an instant, by identity and policy. */
  expected(at: string): Promise<ReadonlyMap<string, Expected>>;
  /** Keeps the present data; returns what the violations of these data must be at an instant, by identity and policy. */
  remember(): Promise<(at: string) => ReadonlyMap<string, Expected>>;
  /** Whether violations of the identity, or of the policy, that ended since the last call of `mark` are closed. */
  isClosed(identityId: string, policyId: string): boolean;
  mark(): void;
  /** Makes policies, and identities that violate some of them. */
  populate(random: Random): Promise<void>;
  /** Changes something at random; returns what. */
  change(random: Random): Promise<string>;
  /**
   * Advances the clock by less than a day, at random. Windows may begin or end; a full comparison is seldom due, so it seldom
   * corrects an omission.
   */
  passTime(random: Random): void;
}

export interface Expected {
  readonly name: string;
  readonly level: string;
  readonly exceptionId: string | null;
  readonly items: string;
}

interface State {
  readonly identities: Map<string, { readonly name: string | null; readonly access: readonly TimedAccessRef[] }>;
  readonly policies: Map<string, SodPolicy>;
  readonly names: Map<string, string>;
  role: readonly string[];
  profile: readonly string[];
  exceptions: number;
}

const ref = (type: TimedAccessRef['type'], id: string): TimedAccessRef => ({ type, id });
const iso = (ms: number) => new Date(ms).toISOString();

export async function createRegisterWorld(store: Store, tenant: string, startMs: number): Promise<RegisterWorld> {
  const state: State = {
    identities: new Map(),
    policies: new Map(),
    names: new Map(ENTITLEMENTS.map((id) => [id, id])),
    role: ['a', 'c'],
    profile: ['b'],
    exceptions: 0,
  };
  let nowMs = startMs;
  const importSome = (records: readonly AccessModelRecord[]) => importAt(store, { tenant, now: iso(nowMs) }, records);
  const recordOf = (id: string): AccessModelRecord => ({
    kind: 'entitlement',
    id,
    name: state.names.get(id) ?? id,
    source: null,
  });
  /** Entitlements that were deleted come back with the first record that refers to some. */
  const missing = () => {
    const ids = ENTITLEMENTS.filter((id) => !state.names.has(id));
    for (const id of ids) state.names.set(id, id);
    return ids.map(recordOf);
  };
  const bundles = (): readonly AccessModelRecord[] => [
    { kind: 'accessProfile', id: 'ap', name: 'ap', entitlements: state.profile },
    { kind: 'role', id: 'ro', name: 'ro', accessProfiles: ['ap'], entitlements: state.role },
  ];
  await importSome([
    ...ENTITLEMENTS.map(recordOf),
    { kind: 'identityProfile', id: 'ip', name: 'ip' },
    ...bundles(),
    ...SOURCES.map((id): AccessModelRecord => ({ kind: 'source', id, name: id, ...SOURCE_DEFAULTS })),
  ]);
  let marked = new Map<string, string>();
  const world: RegisterWorld = {
    get nowMs() {
      return nowMs;
    },
    set nowMs(ms) {
      nowMs = ms;
    },
    expected: async (at) => expectedAt(state, await approvedAt(store, tenant, at), at),
    remember: async () => {
      const remembered = structuredClone(state);
      const approved = await approvedAt(store, tenant, iso(nowMs));
      return (at) => expectedAt(remembered, approved, at);
    },
    isClosed: (identityId, policyId) => {
      const terms = termsOf(state.policies.get(policyId));
      return !state.identities.has(identityId) || terms !== marked.get(policyId);
    },
    mark: () => {
      marked = new Map([...state.policies].map(([id, policy]) => [id, termsOf(policy)]));
    },
    populate: async (random) => {
      for (const kind of FIRST_CHANGES)
        await change(kind, { store, tenant, state, world, random, importSome, bundles, recordOf, missing });
    },
    passTime: (random) => {
      nowMs += pick(random, TIMES_WITHIN_A_DAY_MS);
    },
    change: async (random) => {
      const kind = CHANGES[random(CHANGES.length)] ?? 'time';
      await change(kind, { store, tenant, state, world, random, importSome, bundles, recordOf, missing });
      return kind;
    },
  };
  return world;
}

const termsOf = (policy: SodPolicy | undefined): string =>
  policy === undefined || policy.state !== 'ENFORCED'
    ? 'none'
    : JSON.stringify([
        atLeastOf(policy.conflictingAccessCriteria),
        sidesOf(policy.conflictingAccessCriteria).map(({ criteriaList }) => criteriaList.map(({ id }) => id).sort()),
      ]);

const FIRST_CHANGES = ['policy', 'policy', 'policy', 'identity', 'identity', 'identity', 'window', 'window'];
const CHANGES = [
  'identity',
  'identity',
  'identity',
  'window',
  'window',
  'window',
  'policy',
  'policy',
  'delete identity',
  'delete policy',
  'role',
  'role',
  'profile',
  'profile',
  'bundles',
  'rename',
  'rename',
  'delete entitlement',
  'approve',
  'approve',
  'approve',
  'revoke',
  'time',
  'time',
  'time',
  'time',
];

interface Change {
  readonly store: Store;
  readonly tenant: string;
  readonly state: State;
  readonly world: RegisterWorld;
  readonly random: Random;
  importSome(records: readonly AccessModelRecord[]): Promise<void>;
  bundles(): readonly AccessModelRecord[];
  recordOf(id: string): AccessModelRecord;
  missing(): readonly AccessModelRecord[];
}

const pick = <T>(random: Random, all: readonly T[]): T => all[random(all.length)] as T;
const some = <T>(random: Random, all: readonly T[], least = 0): readonly T[] => {
  const found = all.filter(() => random(2) === 0);
  return found.length < least ? all.slice(0, least) : found;
};

async function change(kind: string, given: Change): Promise<void> {
  const { state, world, random, importSome } = given;
  if (kind === 'time') world.nowMs += pick(random, [1_000, ...TIMES_WITHIN_A_DAY_MS, DAY_MS, 3 * DAY_MS]);
  else if (kind === 'identity' || kind === 'window') {
    const id = pick(random, IDENTITIES);
    const window = () => {
      const startMs = world.nowMs + (random(17) - 8) * WINDOW_STEP_MS;
      return { start: iso(startMs), end: iso(startMs + random(17) * WINDOW_STEP_MS) };
    };
    const plain = some(random, [
      ...ENTITLEMENTS.map((each) => ref('ENTITLEMENT', each)),
      ref('ROLE', 'ro'),
      ref('ACCESS_PROFILE', 'ap'),
    ]);
    const access =
      kind === 'identity' ? plain : plain.map((each) => (random(2) === 0 ? each : { ...each, ...window() }));
    const name = random(3) === 0 ? null : `Name ${random(3)}`;
    state.identities.set(id, { name, access });
    await importSome([...given.missing(), ...personRecords(random, id, { name, access })]);
  } else if (kind === 'delete identity') {
    const id = pick(random, IDENTITIES);
    state.identities.delete(id);
    // Accounts that stay find the next identity with the id.
    const left = SOURCES.map((source): AccessModelRecord => {
      return random(2) === 0
        ? accountOf(source, id, [])
        : { kind: 'account', id: accountRef(source, id), delete: true };
    });
    await importSome([{ kind: 'identity', id, delete: true }, ...left]);
  } else if (kind === 'policy') {
    const policy = randomPolicy(random);
    state.policies.set(policy.id, policy);
    await importSome([...given.missing(), policyRecord(policy)]);
  } else if (kind === 'delete policy') {
    const id = pick(random, POLICIES);
    state.policies.delete(id);
    await importSome([{ kind: 'sodPolicy', id, delete: true }]);
  } else if (kind === 'approve' || kind === 'revoke') await changeException(kind, given);
  else await changeCatalogue(kind, given);
}

async function changeCatalogue(kind: string, { state, random, ...given }: Change): Promise<void> {
  const id = pick(random, ENTITLEMENTS);
  if (kind === 'rename') {
    state.names.set(id, `${id}${random(3)}`);
    await given.importSome([given.recordOf(id)]);
  } else if (kind === 'delete entitlement') {
    // Only identities that have it themselves are written.
    const having = [...state.identities].filter(([, { access }]) => access.some((each) => each.id === id));
    for (const [of, { name, access }] of having)
      state.identities.set(of, { name, access: access.filter((each) => each.id !== id) });
    state.role = state.role.filter((each) => each !== id);
    state.profile = state.profile.filter((each) => each !== id);
    state.names.delete(id);
    const written = [...state.identities].flatMap(([of, person]) =>
      having.some(([each]) => each === of) ? personRecords(random, of, person) : [],
    );
    await given.importSome([...written, ...given.bundles(), { kind: 'entitlement', id, delete: true }]);
  } else {
    if (kind !== 'profile') state.role = some(random, ENTITLEMENTS);
    if (kind !== 'role') state.profile = some(random, ENTITLEMENTS);
    await given.importSome([...given.missing(), ...given.bundles()]);
  }
}

/** A person whose access is in the own record and in accounts of the sources, at random; some of it in several. */
function personRecords(
  random: Random,
  id: string,
  { name, access }: { readonly name: string | null; readonly access: readonly TimedAccessRef[] },
): readonly AccessModelRecord[] {
  const places: TimedAccessRef[][] = [[], ...SOURCES.map(() => [])];
  for (const assignment of access)
    for (let isMore = true; isMore; isMore = random(4) === 0) pick(random, places).push(assignment);
  const [own = [], ...ofSources] = places;
  return [identity(id, name, own), ...ofSources.map((some, at) => accountOf(SOURCES[at] ?? '', id, some))];
}

/** An account that belongs to the identity of its id, whose uid that is too. */
const accountOf = (source: string, id: string, access: readonly TimedAccessRef[]): AccessModelRecord => ({
  kind: 'account',
  id: accountRef(source, id),
  source,
  account: id,
  name: id.toUpperCase(),
  displayName: null,
  email: null,
  disabled: false,
  access,
});

function randomPolicy(random: Random): SodPolicy {
  const id = pick(random, POLICIES);
  const fields = {
    name: `Policy ${id}${random(2)}`,
    state: random(5) === 0 ? ('NOT_ENFORCED' as const) : ('ENFORCED' as const),
    level: pick(random, ['LOW', 'HIGH', 'CRITICAL'] as const),
  };
  if (random(3) === 0) return policyOf(id, [['a'], ['b', 'c'], ['d']], { ...fields, atLeast: 2 + random(2) });
  const [left, right] = pick(random, [
    [['a'], ['b']],
    [['a', 'c'], ['d']],
    [['b'], ['c', 'd']],
  ] as const);
  return policyOf(id, [left, right], fields);
}

async function changeException(kind: string, { store, tenant, world, state, random }: Change): Promise<void> {
  const now = iso(world.nowMs);
  const caller = { tenant, clientId: 'c', scopes: new Set<string>(), identityId: 'i-approver', capabilities: [] };
  const context = auditContextOf(caller, { operation: 'test', time: now, trackingId: '0'.repeat(32) });
  const actor = { identityId: 'i-approver', now, comment: null };
  if (kind === 'revoke') {
    const query = { conditions: [{ field: 'state', operator: 'in', values: ['APPROVED'] }], now } as const;
    const approved = await store.exceptions.list(tenant, query, { limit: 250, offset: 0 });
    if (approved.length === 0) return;
    const { id } = pick(random, approved).exception;
    await store.exceptions.change(context, id, { decide: (view) => revokeException(view.exception, view, actor) });
    return;
  }
  const startMs = world.nowMs + (random(3) - 1) * DAY_MS;
  const window = { start: iso(startMs), end: iso(Math.max(startMs, world.nowMs) + (1 + random(4)) * (DAY_MS / 2)) };
  const subject = { policyId: pick(random, POLICIES), identityId: pick(random, IDENTITIES) };
  const id = `x-${state.exceptions++}`;
  const requested = { ...subject, ...window, justification: 'why' };
  const made = await store.exceptions.create(context, requested, (view) =>
    requestException(requested, view, { id, identityId: 'i-asker', now }),
  );
  if (!made.ok || random(4) === 0) return;
  await store.exceptions.change(context, id, {
    decide: (view) => approveException(view.exception, { ...view, capabilities: ['ORG_ADMIN'] }, actor),
  });
}

async function approvedAt(store: Store, tenant: string, now: string): Promise<readonly SodExceptionRecord[]> {
  const query = { conditions: [{ field: 'state', operator: 'in', values: ['APPROVED'] }], now } as const;
  const seen = await store.exceptions.list(tenant, query, { limit: 250, offset: 0 });
  return seen.map(({ exception }) => exception);
}

function expectedAt(state: State, approved: readonly SodExceptionRecord[], at: string): ReadonlyMap<string, Expected> {
  const found = new Map<string, Expected>();
  for (const [identityId, { name, access }] of state.identities)
    for (const policy of state.policies.values()) {
      if (policy.state !== 'ENFORCED') continue;
      const held = heldAt(state, access, at);
      const criteria = policy.conflictingAccessCriteria;
      const sides = sidesOf(criteria).map(({ criteriaList }) =>
        criteriaList.map(({ id }) => id).filter((id) => held.has(id)),
      );
      if (sides.filter((items) => items.length > 0).length < atLeastOf(criteria)) continue;
      const exception = approved
        .filter(
          ({ policyId, identityId: of, start, end }) =>
            policyId === policy.id && of === identityId && start <= at && at < end,
        )
        .toSorted((one, other) => (one.end < other.end ? 1 : -1))[0];
      found.set(`${identityId} ${policy.id}`, {
        name: `${policy.name}: ${name ?? identityId}`,
        level: policy.level,
        exceptionId: exception?.id ?? null,
        items: JSON.stringify(
          sides
            .filter((items) => items.length > 0)
            .map((items) => items.toSorted().map((id) => [id, state.names.get(id)])),
        ),
      });
    }
  return found;
}

function heldAt(state: State, access: readonly TimedAccessRef[], at: string): ReadonlySet<string> {
  const held = new Set<string>();
  for (const { type, id, start, end } of access) {
    if ((start !== undefined && start > at) || (end !== undefined && end <= at)) continue;
    if (type === 'ENTITLEMENT') held.add(id);
    if (type === 'ROLE') for (const each of [...state.role, ...state.profile]) held.add(each);
    if (type === 'ACCESS_PROFILE') for (const each of state.profile) held.add(each);
  }
  return held;
}
