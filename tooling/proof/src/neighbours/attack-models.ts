import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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

const DAY_MS = 86_400_000;
/** The most instants that a request with `include` may name. */
const INSTANTS_MAX = 64;

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

/** Gives refs different windows that all overlap; the refs repeat until there are `count`. */
export const withWindows = <T extends Ref>(refs: readonly T[], count: number, instants = 2 * count) =>
  Array.from({ length: count }, (_, at) => {
    const ref = refs[at % refs.length];
    if (ref === undefined) throw new Error('no refs');
    const day = at % (instants / 2);
    const nowMs = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    const [start, end] = [nowMs - (day + 1) * DAY_MS, nowMs + (day + 2) * DAY_MS].map((ms) =>
      new Date(ms).toISOString(),
    );
    return { ...ref, start, end };
  });

/** A request for as many windows as fit: with as many instants, or with as many as `include` allows. */
export const requestWithWindows = (identityId: string, refs: readonly Ref[], isWithinLimit: boolean): string =>
  JSON.stringify({ identityId, accessRefs: withWindows(refs, 500, isWithinLimit ? INSTANTS_MAX : 1_000) });
