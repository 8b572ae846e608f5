import { type AccessModelRecord, auditContextOf, type Caller, type Identity, planImport } from '@access-admin/domain';
import { openStore, type Store } from '@access-admin/store';
import { createWorld } from './create-world.ts';
import { createRandom, createZipf, drawDistinct } from './random.ts';

export interface PopulationSize {
  readonly seed: number;
  readonly identities: number;
  readonly assignments: number;
  readonly policies: number;
}

/** A tenant too large for one import, with short ids. */
export interface Population {
  readonly records: Iterable<AccessModelRecord>;
  /** The body of a predict for an identity. */
  bodyOf(number: number): string;
}

const ENTITLEMENTS = 50_000;
const QUESTIONS = 4096;
/** The records of one import. */
export const IMPORTED_AT_ONCE = 10_000;
export const TENANT = 'default';

export function createPopulation(size: PopulationSize): Population {
  const { seed, policies } = size;
  const world = createWorld({ seed, policies, entitlements: ENTITLEMENTS, identities: 1, questions: QUESTIONS });
  const refs = world.questions.map(({ accessRefs }) =>
    JSON.stringify(accessRefs.map(({ type, id }) => ({ type, id: shorten(id) }))),
  );
  return {
    records: recordsOf(world, size),
    bodyOf: (number) => `{"identityId":"${identityIdOf(number)}","accessRefs":${refs[number % refs.length]}}`,
  };
}

const identityIdOf = (number: number) => `i${number.toString(36)}`;
/** Shortens an id of a world, which ends in six digits. */
const shorten = (id: string) => `${id[0]}${Number(id.slice(-6)).toString(36)}`;

/** Draws identities lazily, because all of them would not fit into memory. */
function* recordsOf(
  { catalogue, policies }: ReturnType<typeof createWorld>,
  { seed, identities, assignments }: PopulationSize,
): Generator<AccessModelRecord> {
  for (const { id, ...entitlement } of catalogue.entitlements)
    yield { kind: 'entitlement', id: shorten(id), ...entitlement };
  for (const {
    created: _,
    modified: _modified,
    creatorId: _creatorId,
    modifierId: _modifierId,
    ...policy
  } of policies) {
    const { leftCriteria, rightCriteria } = policy.conflictingAccessCriteria;
    const shortened = ({ name, criteriaList }: typeof leftCriteria) => ({
      name,
      criteriaList: criteriaList.map(({ type, id }) => ({ type, id: shorten(id) })),
    });
    const conflictingAccessCriteria = {
      leftCriteria: shortened(leftCriteria),
      rightCriteria: shortened(rightCriteria),
    };
    yield { kind: 'sodPolicy', ...policy, id: shorten(policy.id), conflictingAccessCriteria };
  }
  yield { kind: 'identityProfile', id: 'ip', name: 'Employees' };
  const refs = catalogue.entitlements.map(({ id }) => ({ type: 'ENTITLEMENT' as const, id: shorten(id) }));
  const draw = createZipf(createRandom(seed + 1), refs.length, 1);
  for (let number = 0; number < identities; number++) {
    const access = drawDistinct(draw, assignments).flatMap((entitlement) => refs[entitlement] ?? []);
    yield { kind: 'identity', ...NO_ATTRIBUTES, id: identityIdOf(number), uid: identityIdOf(number), access };
  }
}

const NO_ATTRIBUTES: Omit<Identity, 'id' | 'uid' | 'access'> = {
  identityProfile: 'ip',
  active: true,
  capabilities: [],
  displayName: null,
  alias: null,
  firstname: null,
  lastname: null,
  email: null,
  personalEmail: null,
  phone: null,
  workPhone: null,
  identificationNumber: null,
  lastPasswordChangeDate: null,
  lastLoginTimestamp: null,
  currentLoginTimestamp: null,
  lastUnlockTimestamp: null,
};

/** Imports records through the store, as the API does with the lines of an import; returns the elapsed seconds. */
export async function seedStore(databaseUrl: string, records: Iterable<AccessModelRecord>): Promise<number> {
  const start = performance.now();
  await using store = await openStore(databaseUrl);
  let batch: AccessModelRecord[] = [];
  for (const record of records) {
    batch.push(record);
    if (batch.length < IMPORTED_AT_ONCE) continue;
    await importRecords(store, batch);
    batch = [];
  }
  await importRecords(store, batch);
  return (performance.now() - start) / 1000;
}

/** Imports some records at once. */
export async function importRecords({ accessModel }: Store, records: readonly AccessModelRecord[]): Promise<void> {
  const now = new Date().toISOString();
  const caller: Caller = { tenant: TENANT, clientId: 'bench', scopes: new Set(), identityId: null, capabilities: [] };
  const auditContext = auditContextOf(caller, { operation: 'bench', time: now, trackingId: '0'.repeat(32) });
  const numbered = records.map((record, at) => ({ line: at + 1, record }));
  const imported = await accessModel.import({ auditContext, records: numbered }, (base) =>
    planImport({ records: numbered, base, caller, now }),
  );
  if (!imported.ok) throw new Error(JSON.stringify(imported.failure));
}
