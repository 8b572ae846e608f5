import type { Caller } from '../src/administration/authorization.ts';
import { UNSET_BRANDING } from '../src/administration/branding.ts';
import { UNSET_UI_METADATA } from '../src/administration/ui-metadata.ts';
import type { Failure } from '../src/basics/result/failure.ts';
import type { AccessModelRecord, ImportRecord, RecordKind, StoredKind, StoredRecords } from '../src/import/records.ts';
import { referencesIn, type World } from './import-world.ts';

/** The result of an import: the new world with counts such as `role created` → 2, or a failure with its lines. */
export type NaiveOutcome =
  | { readonly refused: Failure['type']; readonly lines: readonly number[] }
  | { readonly refused: null; readonly world: World; readonly counts: ReadonlyMap<string, number> };

interface NaiveImport {
  readonly world: World;
  readonly records: readonly ImportRecord[];
  readonly caller: Caller;
  readonly now: string;
}

/** Applies an import to a world line by line, then validates the result. */
export function importNaively({ world, records, caller, now }: NaiveImport): NaiveOutcome {
  const counts = new Map<string, number>();
  const counting = records.filter(
    ({ record }, index) => !records.slice(index + 1).some((later) => isSame(later.record, record)),
  );
  let next = world;
  for (const { record } of counting) {
    const before = next;
    next =
      'delete' in record
        ? afterDelete(next, record.kind, record.id)
        : afterUpsert(next, record, { now, author: caller.identityId ?? caller.clientId });
    const verb = verbOf(before, record, next);
    if (verb === null) continue;
    const key = `${record.kind} ${verb}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  for (const check of [missingReferences, forbiddenChanges, conflicts]) {
    const { type, lines } = check({ counting, before: world, after: next, caller });
    if (lines.length > 0) return { refused: type, lines };
  }
  return { refused: null, world: next, counts };
}

const isSame = (left: AccessModelRecord, right: AccessModelRecord) => left.kind === right.kind && left.id === right.id;

/** The settings of which a tenant has one record each, as they are without it. */
const SETTINGS: Readonly<Record<string, object>> = {
  uiMetadata: UNSET_UI_METADATA,
  branding: UNSET_BRANDING,
  lockoutConfig: { maximumAttempts: 5, lockoutDuration: 15, lockoutWindow: 5 },
  sessionConfig: { maxIdleTime: 15, rememberMe: false, maxSessionTime: 480 },
  networkConfig: { range: null, geolocation: null, whitelisted: false },
};

const settingsIn = ({ uiMetadata, branding, signIn }: World): Readonly<Record<string, object>> => ({
  uiMetadata,
  branding,
  lockoutConfig: signIn.lockout,
  sessionConfig: signIn.session,
  networkConfig: signIn.network,
});

const recordIn = (world: World, kind: RecordKind, id: string): unknown =>
  settingsIn(world)[kind] ?? world.stored[kind as StoredKind].get(id);

function isThere(world: World, kind: RecordKind, id: string): boolean {
  const record = recordIn(world, kind, id);
  return record !== undefined && JSON.stringify(record) !== JSON.stringify(SETTINGS[kind]);
}

function withSetting(world: World, kind: RecordKind, fields: object): World {
  const after = { ...SETTINGS[kind], ...fields };
  if (kind === 'uiMetadata') return { ...world, uiMetadata: after as World['uiMetadata'] };
  if (kind === 'branding') return { ...world, branding: after as World['branding'] };
  const name = kind.replace('Config', '');
  return { ...world, signIn: { ...world.signIn, [name]: after } };
}

function verbOf(before: World, record: AccessModelRecord, after: World) {
  const existed = isThere(before, record.kind, record.id);
  if ('delete' in record) return existed ? 'deleted' : null;
  if (textOf(before, record) === textOf(after, record)) return 'unchanged';
  return existed ? 'updated' : 'created';
}

/** A record with its members in one order. */
function textOf(world: World, { kind, id }: AccessModelRecord): string {
  const record = recordIn(world, kind, id);
  return JSON.stringify(record, (_, value) =>
    value === null || typeof value !== 'object' || Array.isArray(value)
      ? value
      : Object.fromEntries(Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1))),
  );
}

function afterDelete(world: World, kind: RecordKind, id: string): World {
  if (kind in SETTINGS) return withSetting(world, kind, {});
  const left = (records: ReadonlyMap<string, unknown>) => new Map([...records].filter(([key]) => key !== id));
  return { ...world, stored: { ...world.stored, [kind]: left(world.stored[kind as StoredKind]) } };
}

interface Author {
  readonly now: string;
  readonly author: string;
}

function afterUpsert(world: World, record: AccessModelRecord, by: Author): World {
  if ('delete' in record) return world;
  const { kind, id, ...fields } = record;
  if (kind in SETTINGS) return withSetting(world, kind, fields);
  const complete = { id, ...fields, ...inherited(world.stored, record, by) };
  const records = new Map<string, unknown>([...world.stored[kind as StoredKind], [id, complete]]);
  return { ...world, stored: { ...world.stored, [kind]: records } };
}

/** The defaults of a record. */
function inherited(stored: StoredRecords, record: AccessModelRecord, { now, author }: Author): object {
  if ('delete' in record) return {};
  if (record.kind === 'identity') {
    const before = stored.identity.get(record.id) ?? { active: true, capabilities: [], access: [] };
    const { active = before.active, capabilities = before.capabilities, access = before.access } = record;
    return { active, capabilities, access };
  }
  if (record.kind === 'identityProfile') {
    const values = {
      type: 'NON_PTA',
      offNetwork: false,
      untrustedGeography: false,
      applicationId: null,
      applicationName: null,
    };
    return { authProfile: { ...values, ...stored.identityProfile.get(record.id)?.authProfile, ...record.authProfile } };
  }
  if (record.kind !== 'sodPolicy') return {};
  const before = stored.sodPolicy.get(record.id);
  if (before === undefined) return { creatorId: author, modifierId: author, created: now, modified: now };
  const says = ({
    name,
    state,
    conflictingAccessCriteria: all,
  }: Pick<typeof before, 'name' | 'state' | 'conflictingAccessCriteria'>) => {
    const sides = 'criteria' in all ? all.criteria : [all.leftCriteria, all.rightCriteria];
    const items = sides.flatMap(({ criteriaList }) => ['|', ...criteriaList.map(({ id }) => id)]);
    return [name, state, 'criteria' in all ? all.atLeast : 'both', ...items].join();
  };
  const { creatorId, modifierId, created, modified } = before;
  return says(before) === says(record)
    ? { creatorId, modifierId, created, modified }
    : { creatorId, modifierId: author, created, modified: now };
}

interface Outcome {
  readonly counting: readonly ImportRecord[];
  readonly before: World;
  readonly after: World;
  readonly caller: Caller;
}
type Rule = (outcome: Outcome) => { readonly type: Failure['type']; readonly lines: readonly number[] };

/** References of a line to records that do not exist in the end. */
const missingReferences: Rule = ({ counting, after }) => {
  const dangling = referencesIn(after.stored).filter(({ to }) => !isThere(after, to.kind, to.id));
  const lines = counting.filter(({ record }) => {
    if ('delete' in record) return false;
    const keepsAccess = record.kind === 'identity' && record.access === undefined;
    return dangling.some(
      ({ from, to }) => isSameRecord(from, record) && !(keepsAccess && to.kind !== 'identityProfile'),
    );
  });
  return { type: 'ReferenceNotFound', lines: lines.map(({ line }) => line) };
};

const isSameRecord = (from: { readonly kind: string; readonly id: string }, { kind, id }: AccessModelRecord) =>
  from.kind === kind && from.id === id;

const capabilitiesIn = ({ stored }: World, id: string): readonly string[] =>
  stored.identity.get(id)?.capabilities ?? [];

/**
 * An identity must not change INTERNAL, give itself or others what it lacks, nor change by what itself or an identity with a
 * capability that it lacks is recognized.
 */
const forbiddenChanges: Rule = ({ counting, before, after, caller }) => {
  const mayGive = (capability: string) =>
    caller.capabilities.includes('ORG_ADMIN') || caller.capabilities.some((held) => held === capability);
  const isStronger = (id: string) =>
    capabilitiesIn(before, id).some((capability) =>
      capability === 'INTERNAL' ? !caller.capabilities.includes('INTERNAL') : !mayGive(capability),
    );
  const forbidsIdentity = (id: string) => {
    const had = capabilitiesIn(before, id);
    const has = capabilitiesIn(after, id);
    if (had.includes('INTERNAL') !== has.includes('INTERNAL')) return true;
    const gained = has.filter((capability) => !had.includes(capability));
    if (gained.some((capability) => id === caller.identityId || !mayGive(capability))) return true;
    const was = before.stored.identity.get(id);
    const is = after.stored.identity.get(id);
    if (was === undefined) return false;
    if (is === undefined) return isStronger(id);
    const isSame = was.uid === is.uid && was.identityProfile === is.identityProfile;
    return !isSame && (id === caller.identityId || isStronger(id));
  };
  const forbidsProfile = (id: string) => {
    const verifies = ({ stored }: World) => {
      const { type, applicationId, applicationName } = stored.identityProfile.get(id)?.authProfile ?? {};
      return JSON.stringify([type, applicationId, applicationName]);
    };
    if (!(isThere(before, 'identityProfile', id) && isThere(after, 'identityProfile', id))) return false;
    if (verifies(before) === verifies(after)) return false;
    return [...before.stored.identity.values()].some(
      (member) => member.identityProfile === id && (member.id === caller.identityId || isStronger(member.id)),
    );
  };
  const lines = counting.filter(({ record: { kind, id } }) => {
    if (caller.identityId === null) return false;
    if (kind === 'identity') return forbidsIdentity(id);
    return kind === 'identityProfile' && forbidsProfile(id);
  });
  return { type: 'Forbidden', lines: lines.map(({ line }) => line) };
};

/** The issue of a line that deleted a referenced record or removed the last ORG_ADMIN. */
const conflicts: Rule = ({ counting, before, after, caller }) => {
  const dangling = referencesIn(after.stored).filter(({ to }) => !isThere(after, to.kind, to.id));
  const lost = caller.identityId !== null && administrators(after).length === 0 ? administrators(before) : [];
  const lines = counting.filter(
    ({ record }) =>
      dangling.some(({ to }) => isSameRecord(to, record)) ||
      (record.kind === 'identity' && lost.includes(record.id)) ||
      sharesUid(record, { counting, after }),
  );
  return { type: 'Conflict', lines: lines.map(({ line }) => line) };
};

/** Whether an identity has the uid of one that the import does not name, or names before. The uids of these tests are of ASCII. */
function sharesUid(record: AccessModelRecord, { counting, after }: Pick<Outcome, 'counting' | 'after'>): boolean {
  if (record.kind !== 'identity' || 'delete' in record) return false;
  const place = counting.findIndex((each) => each.record === record);
  return [...after.stored.identity.values()].some(({ id, uid }) => {
    const other = counting.findIndex((each) => each.record.kind === 'identity' && each.record.id === id);
    return id !== record.id && other < place && uid.toLowerCase() === record.uid.toLowerCase();
  });
}

const administrators = ({ stored }: World) =>
  [...stored.identity.values()]
    .filter(({ active, capabilities }) => active && capabilities.includes('ORG_ADMIN'))
    .map(({ id }) => id);
