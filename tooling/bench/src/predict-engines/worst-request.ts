import {
  ASSIGNMENTS_MAX,
  type Catalogue,
  compileSodIndex,
  createPolicyCompiler,
  createSodIndex,
  expandAssignments,
  predict,
  predictionJson,
  SOD_POLICY_ITEMS_MAX,
  SOD_POLICY_SIDES_MAX,
  type SodIndex,
  TIMED_ASSIGNMENTS_MAX,
  type TimedAccessRef,
} from '@access-admin/domain';
import { createRandom } from '../world/random.ts';
import { PREDICTION_PARTS } from './prediction-text.ts';

/** The most access refs of a request. */
const REFS_MAX = 500;
const ENTITLEMENTS = 50_000;
/** A tenth of those that have a place in a line of an import. */
const ENTITLEMENTS_OF_ROLE = 5_000;
const DAY_MS = 86_400_000;
/** Later pieces are like the earlier ones. */
const PIECES_MAX = 2_000;

/** For as much access as one may ask for, by an identity with as much as one may have. */
export const REQUESTS = ['entitlements', 'entitlements in windows', 'roles', 'roles in windows'] as const;
type Request = (typeof REQUESTS)[number];

/** The longest pieces of an answer to a request, in milliseconds of CPU, by round. */
export interface WorstRequest {
  readonly request: Request;
  readonly ms: readonly number[];
}

/**
 * Returns the longest work without a pause on a request, with policies of as many sides and items as they may have, each violated
 * by access to two sides. Other requests are served between two pieces of an answer.
 */
export function longestPieces(policies: number): (request: Request) => number {
  const index = compileLargest(policies);
  return (request) => {
    const isRole = request.startsWith('roles');
    const isTimed = request.endsWith('in windows');
    const refOf = (number: number): TimedAccessRef => (isRole ? roleRef(number % REFS_MAX) : entitlementRef(number));
    const access = (from: number, count: number): readonly TimedAccessRef[] =>
      Array.from({ length: count }, (_, at) =>
        isTimed ? { ...refOf(from + at), ...windowOf(from + at) } : refOf(from + at),
      );
    const always = Array.from({ length: ASSIGNMENTS_MAX - TIMED_ASSIGNMENTS_MAX }, (_, at) =>
      entitlementRef(2_000 + at),
    );
    const holder = expandAssignments(index, [...always, ...access(REFS_MAX, TIMED_ASSIGNMENTS_MAX)]);
    return longestPieceMs(index, holder, access(0, REFS_MAX));
  };
}

function longestPieceMs(
  index: SodIndex,
  holder: ReturnType<typeof expandAssignments>,
  accessRefs: readonly TimedAccessRef[],
): number {
  let longest = 0;
  let pieces = 0;
  let began = cpuMs();
  const prediction = predict(index, holder, { accessRefs, nowMs: 0 });
  if (!prediction.ok) throw new Error(prediction.failure.type);
  for (const _ of predictionJson(prediction.value, PREDICTION_PARTS)) {
    const now = cpuMs();
    longest = Math.max(longest, now - began);
    began = now;
    if (++pieces === PIECES_MAX) break;
  }
  return longest;
}

/** Of this thread: other work on the machine does not count. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Each begins and ends at instants of its own, and meets all others. */
const windowOf = (number: number) => ({
  start: new Date((1 + number) * DAY_MS).toISOString(),
  end: new Date((2_000 + number) * DAY_MS + DAY_MS / 2).toISOString(),
});

const entitlementRef = (number: number): TimedAccessRef => ({ type: 'ENTITLEMENT', id: `e-${number}` });
const roleRef = (number: number): TimedAccessRef => ({ type: 'ROLE', id: `r-${number}` });

function compileLargest(policies: number): SodIndex {
  const { catalogue } = compileSodIndex([], largestCatalogue());
  const random = createRandom(1);
  const compiler = createPolicyCompiler(catalogue);
  const sideOf = () => ({
    name: null,
    criteriaList: Array.from({ length: SOD_POLICY_ITEMS_MAX }, () => ({
      type: 'ENTITLEMENT' as const,
      id: `e-${random.below(ENTITLEMENTS)}`,
    })),
  });
  for (let number = 0; number < policies; number++) {
    const id = `p-${String(number).padStart(6, '0')}`;
    const criteria = { criteria: Array.from({ length: SOD_POLICY_SIDES_MAX }, sideOf), atLeast: 2 };
    compiler.add([{ id, name: id, state: 'ENFORCED', level: 'HIGH', conflictingAccessCriteria: criteria }]);
  }
  return createSodIndex(catalogue, compiler.finish());
}

function largestCatalogue(): Catalogue {
  const named = (id: string) => ({ id, name: `Name of ${id}` });
  const step = ENTITLEMENTS / ENTITLEMENTS_OF_ROLE;
  const entitlementsOf = (role: number) =>
    Array.from({ length: ENTITLEMENTS_OF_ROLE }, (_, at) => `e-${(at * step + role) % ENTITLEMENTS}`);
  return {
    entitlements: Array.from({ length: ENTITLEMENTS }, (_, number) => ({ ...named(`e-${number}`), source: null })),
    accessProfiles: [],
    roles: Array.from({ length: REFS_MAX }, (_, role) => ({
      ...named(`r-${role}`),
      accessProfiles: [],
      entitlements: entitlementsOf(role),
    })),
  };
}
