import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXPLAINED_INSTANTS_MAX } from '@access-admin/domain';
import { ROOT } from '@access-admin/harness';
import { createRandom } from '../campaign/random.ts';

/** The sample of `npm start`: 47 policies, 300 identities. */
const SAMPLE = readFileSync(join(ROOT, 'tooling/sample/sample.ndjson'), 'utf8');
export const SAMPLE_RECORDS: readonly object[] = SAMPLE.trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));

/** The sample with several times as many people. */
export function enlargedSample(times: number): string {
  const people = SAMPLE_RECORDS.filter((record) => 'uid' in record);
  const copies = people.flatMap((person) =>
    Array.from({ length: times - 1 }, (_, at) => {
      const { id, uid } = person as Readonly<Record<'id' | 'uid', string>>;
      return JSON.stringify({ ...person, id: `${id}-${at}`, uid: `${uid}-${at}` });
    }),
  );
  return [SAMPLE.trimEnd(), ...copies].join('\n');
}

const HOUR_MS = 3_600_000;
/** The most access refs of a request. */
const WINDOWS = 500;

export interface Ref {
  readonly type: 'ENTITLEMENT' | 'ACCESS_PROFILE' | 'ROLE';
  readonly id: string;
}

export const STAFF = { kind: 'identityProfile', id: 'ip-staff', name: 'Staff' };
export const identity = (id: string, own: object = {}) => ({
  kind: 'identity',
  id,
  uid: id,
  identityProfile: STAFF.id,
  ...own,
});
export const entitlements = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ kind: 'entitlement', id: `e-${at}`, name: `Entitlement ${at}` }));
export const entitlementRefs = (count: number): readonly Ref[] =>
  Array.from({ length: count }, (_, at) => ({ type: 'ENTITLEMENT', id: `e-${at}` }));

export interface PoliciesPlan {
  readonly count: number;
  /** Items of each of the two sides. */
  readonly items: number;
  /** The entitlements e-0, e-1, … that items are drawn from. */
  readonly drawnFrom: number;
  readonly own?: object;
}

/** Policies with items drawn at random, the same ones each time. */
export function policies({ count, items, drawnFrom, own = {} }: PoliciesPlan) {
  const random = createRandom(15);
  const pool = Array.from({ length: drawnFrom }, (_, at) => `e-${at}`);
  const draw = (place: number): string => {
    const from = place + random(drawnFrom - place);
    [pool[place], pool[from]] = [pool[from] ?? '', pool[place] ?? ''];
    return pool[place] ?? '';
  };
  return Array.from({ length: count }, (_, at) => {
    const ids = Array.from({ length: 2 * items }, (_, place) => draw(place));
    const side = (list: readonly string[]) => ({ criteriaList: list.map((id) => ({ type: 'ENTITLEMENT', id })) });
    const sides = { leftCriteria: side(ids.slice(0, items)), rightCriteria: side(ids.slice(items)) };
    return { kind: 'sodPolicy', id: `p-${at}`, name: `Policy ${at}`, conflictingAccessCriteria: sides, ...own };
  });
}

/** Everything that the sample lets one ask for. */
export const sampleRefs = (): readonly Ref[] => {
  const types = { entitlement: 'ENTITLEMENT', accessProfile: 'ACCESS_PROFILE', role: 'ROLE' } as const;
  return SAMPLE_RECORDS.flatMap((record) => {
    const { kind, id } = record as { readonly kind: keyof typeof types; readonly id: string };
    return types[kind] === undefined ? [] : [{ type: types[kind], id }];
  });
};

/** Gives refs windows that begin and end at so many instants from now on, and all overlap; the refs repeat until there are 500. */
function withWindows(refs: readonly Ref[], instants: number) {
  const fromMs = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS;
  const timeOf = (hours: number) => new Date(fromMs + hours * HOUR_MS).toISOString();
  const accessRefs = Array.from({ length: WINDOWS }, (_, at) => {
    const hours = 1 + (at % (instants / 2));
    return { ...refs[at % refs.length], start: timeOf(hours), end: timeOf(hours + 2 * WINDOWS) };
  });
  return { accessRefs, at: timeOf(2 * WINDOWS) };
}

/** The longest requests that are legal, with as many windows as access refs; the refs repeat. */
export function longRequests(identityId: string, refs: readonly Ref[]) {
  const { accessRefs, at } = withWindows(refs, 2 * WINDOWS);
  return {
    /** Over as many instants as `include` allows. */
    explained: JSON.stringify({ identityId, ...withWindows(refs, EXPLAINED_INSTANTS_MAX), at: undefined }),
    /** With `include`, for an instant in all windows. */
    explainedAt: JSON.stringify({ identityId, accessRefs, at }),
    /** Without `include`, over all instants. */
    plain: JSON.stringify({ identityId, accessRefs }),
  };
}
