import { idCount } from '../collections/id-dictionary.ts';
import type { Entitlements } from '../evaluation/expand-access.ts';
import { evaluateSides, type KOfNWalk } from '../evaluation/find-k-of-n.ts';
import { evaluateOppositeSides, mergeViolated, type Walk } from '../evaluation/find-violated.ts';
import type { MarkedAccess } from '../evaluation/marked-access.ts';
import type { ResolvedRequest } from '../evaluation/resolve-request.ts';
import type { KOfNPolicies } from '../rulebook/k-of-n-policies.ts';
import type { SodPolicyTable } from '../rulebook/policy-table.ts';
import type { SodIndex } from '../rulebook/sod-index.ts';
import { createWorkBudget, isPauseDue, type WorkBudget } from '../steps/work-budget.ts';
import { violationJson } from './violation-json.ts';

/**
 * The JSON text of a prediction in pieces, an empty one at each pause before there is more text. `stepWork` counts
 * judged sides; all else is counted as a part of that. What it writes while it runs is its own.
 */
export const predictJsonInSteps = (index: SodIndex, request: ResolvedRequest, stepWork: number): Generator<string> =>
  writeViolationsInSteps(index, request, { stepWork, write: violationJson });

/** How a violation is to be written. */
export interface ViolationWriter {
  readonly stepWork: number;
  readonly write: (index: SodIndex, violated: number, access: MarkedAccess) => string;
}

/** The same with violations as `write` has them. The marks that it is given stay as they are. */
export function* writeViolationsInSteps(
  index: SodIndex,
  request: ResolvedRequest,
  { stepWork, write }: ViolationWriter,
): Generator<string> {
  const budget = createWorkBudget(stepWork);
  const access = { marks: new Uint8Array(idCount(index.catalogue.numbers.ids)), heldMark: HELD };
  yield* markHeld(request.held, access, budget);
  const gained = yield* gatherGained(request.parts, access, budget);
  const search = { gained, access, budget };
  const violated = yield* findIn(index.compiled, search);
  const changed =
    index.overlay === null ? [] : numbersIn(yield* findIn(index.overlay.table, search), 0, Number.POSITIVE_INFINITY);
  yield* writeJson(index, { violated, changed, access, budget, write });
}

const HELD = 1;
const GAINED = 2;

// So many entitlements are marked, or policies passed over, in the time that it takes to judge one side.
const LIGHT = 16;

function* markHeld(held: Uint32Array, { marks }: MarkedAccess, budget: WorkBudget): Generator<string, void> {
  for (let i = 0; i < held.length; i++) {
    marks[held[i] ?? 0] = HELD;
    if (isPauseDue(budget, 1 / LIGHT)) yield '';
  }
}

function* gatherGained(
  parts: readonly Entitlements[],
  { marks }: MarkedAccess,
  budget: WorkBudget,
): Generator<string, readonly number[]> {
  const gained: number[] = [];
  for (const part of parts) {
    for (let i = 0; i < part.length; i++) {
      const entitlement = part[i] ?? 0;
      if (marks[entitlement] === 0) {
        marks[entitlement] = GAINED;
        gained.push(entitlement);
      }
      if (isPauseDue(budget, 1 / LIGHT)) yield '';
    }
  }
  return gained;
}

interface Search {
  readonly gained: readonly number[];
  readonly access: MarkedAccess;
  readonly budget: WorkBudget;
}

// A flag for each policy of the table, set where it is violated.
function* findIn(table: SodPolicyTable, search: Search): Generator<string, Uint8Array> {
  const { gained, access, budget } = search;
  const policyCount = table.levels.length;
  const flags = new Uint8Array(policyCount);
  const walk: Walk = { table, access, judged: new Uint8Array(policyCount * 2), judgedMark: 1, violated: [] };
  const { starts } = table.oppositeSides;
  for (const entitlement of gained) {
    const end = starts[entitlement + 1] ?? 0;
    for (let at = starts[entitlement] ?? 0; at < end; ) {
      const next = Math.min(end, at + Math.ceil(budget.limit - budget.spent));
      evaluateOppositeSides(walk, at, next);
      for (const number of walk.violated) flags[number] = 1;
      walk.violated.length = 0;
      if (isPauseDue(budget, next - at)) yield '';
      at = next;
    }
    if (isPauseDue(budget, 1 / LIGHT)) yield '';
  }
  if (table.wide !== null) yield* findKOfN(table.wide, { ...search, flags });
  return flags;
}

function* findKOfN(
  wide: KOfNPolicies,
  { gained, access, budget, flags }: Search & { readonly flags: Uint8Array },
): Generator<string, void> {
  const { sidesByEntitlement, sideCountMax } = wide;
  const walk: KOfNWalk = { wide, access, judged: new Uint8Array(wide.numbers.length), judgedMark: 1, violated: [] };
  for (const entitlement of gained) {
    const end = sidesByEntitlement.starts[entitlement + 1] ?? 0;
    for (let at = sidesByEntitlement.starts[entitlement] ?? 0; at < end; ) {
      const next = Math.min(end, at + Math.ceil((budget.limit - budget.spent) / sideCountMax));
      evaluateSides(walk, at, next);
      for (const number of walk.violated) flags[number] = 1;
      walk.violated.length = 0;
      if (isPauseDue(budget, (next - at) * sideCountMax)) yield '';
      at = next;
    }
    if (isPauseDue(budget, 1 / LIGHT)) yield '';
  }
}

interface Found extends Pick<ViolationWriter, 'write'> {
  readonly violated: Uint8Array;
  readonly changed: readonly number[];
  readonly access: MarkedAccess;
  readonly budget: WorkBudget;
}

function* writeJson(index: SodIndex, { violated, changed, access, budget, write }: Found): Generator<string, void> {
  let json = '{"violationContexts":[';
  let separator = '';
  let rest = changed;
  for (let from = 0; from === 0 || from < violated.length; from += STRETCH) {
    const isLast = from + STRETCH >= violated.length;
    const later = isLast ? rest.length : rest.findIndex((number) => placeOf(index, number) >= from + STRETCH);
    const changedHere = later < 0 ? rest : rest.slice(0, later);
    rest = rest.slice(changedHere.length);
    for (const number of mergeViolated(index, numbersIn(violated, from), changedHere)) {
      const violation = write(index, number, access);
      json += separator;
      json += violation;
      separator = ',';
      if (!isPauseDue(budget, 1 + violation.length / CHARACTERS)) continue;
      yield json;
      json = '';
    }
    if (!isPauseDue(budget, STRETCH / LIGHT)) continue;
    yield json;
    json = '';
  }
  yield `${json}]}`;
}

// So many policies are looked through for violated ones between two merges.
const STRETCH = 4_096;

// So many characters are written in the time that it takes to judge one side.
const CHARACTERS = 64;

const placeOf = ({ overlay }: SodIndex, changed: number) => overlay?.places[changed] ?? 0;

function numbersIn(flags: Uint8Array, from = 0, end = from + STRETCH): number[] {
  const numbers: number[] = [];
  const last = Math.min(end, flags.length);
  for (let number = from; number < last; number++) if (flags[number] === 1) numbers.push(number);
  return numbers;
}
