import { EXISTING, NOT_SHOWN, type Violation } from '../sod/evaluation/violation.ts';
import { entitlementAt } from '../sod/rulebook/catalogue.ts';
import { isShownAsKOfN, type PolicyPlace, policyAt, policySidesAt, sideNameAt } from '../sod/rulebook/policy-table.ts';
import { policyPlaceAt, type SodIndex } from '../sod/rulebook/sod-index.ts';
import type { ExceptionCoverage } from './coverage.ts';
import { gatherOrigins } from './path-origins.ts';
import { type AccessGraph, linkAccess, type ReasonFor } from './reasons.ts';
import type { PolicyAdvice } from './violation-context.ts';

/** The data that explains violations, all as of the instant of the prediction. */
export interface Explanation extends AccessGraph {
  /** Of the violated policies, by id. */
  readonly advice: ReadonlyMap<string, PolicyAdvice>;
  /** How many of the violations, from the first one on, have their advice here; all of them if left out. */
  readonly advisedCount?: number;
}

/** What violations are presented with. */
export interface ContextParts {
  readonly coverage: ExceptionCoverage | null;
  /** Gives the reasons of violations; null where none are to be shown. */
  readonly explain: ExplainViolation | null;
}

/** The JSON text of a violation: a `ViolationContext`. */
export function contextJson(index: SodIndex, violation: Violation, { coverage, explain }: ContextParts): string {
  const place = policyPlaceAt(index, violation.policy);
  const policy = policyAt(place);
  const reasons = explain === null ? null : explain(violation);
  const exception = coverage?.coveringException(violation);
  const advice = reasons === null ? '' : adviceMembers(reasons.advice.get(policy.id) ?? NO_ADVICE);
  return (
    `{"policy":${JSON.stringify(policy)},"preexisting":${violation.preexisting},` +
    `"conflictingAccessCriteria":${conflictJson(index, violation, { place, reasonMembers: reasons?.members ?? noMembers })}` +
    `${advice}${exception === undefined ? '' : `,"exception":${JSON.stringify(exception)}`}}`
  );
}

const noMembers = () => '';

interface ConflictParts {
  readonly place: PolicyPlace;
  readonly reasonMembers: (id: string) => string;
}

function conflictJson(index: SodIndex, violation: Violation, { place, reasonMembers }: ConflictParts): string {
  const { first, sideCount, atLeast } = policySidesAt(place);
  const itemsOf = (side: number) => itemsJson(index, violation, { place, side, reasonMembers });
  if (!isShownAsKOfN(place))
    return `{"leftCriteria":{"criteriaList":[${itemsOf(0)}]},"rightCriteria":{"criteriaList":[${itemsOf(1)}]}}`;
  const sides: string[] = [];
  for (let side = 0; side < sideCount; side++) {
    const items = itemsOf(side);
    if (items === '') continue;
    sides.push(`{"name":${JSON.stringify(sideNameAt(place.table, first + side))},"criteriaList":[${items}]}`);
  }
  return `{"criteria":[${sides.join()}],"atLeast":${atLeast}}`;
}

function itemsJson(
  { catalogue }: SodIndex,
  { shown }: Violation,
  { place, side, reasonMembers }: ConflictParts & { readonly side: number },
): string {
  const { rows, first } = policySidesAt(place);
  const start = rows.starts[first] ?? 0;
  const end = rows.starts[first + side + 1] ?? 0;
  let json = '';
  for (let at = rows.starts[first + side] ?? 0; at < end; at++) {
    const state = shown[at - start];
    if (state === NOT_SHOWN) continue;
    const { id, name } = entitlementAt(catalogue, rows.values[at] ?? 0);
    json +=
      `${json === '' ? '' : ','}{"type":"ENTITLEMENT","id":${JSON.stringify(id)},"name":${JSON.stringify(name)},` +
      `"existing":${state === EXISTING}${reasonMembers(id)}}`;
  }
  return json;
}

const NO_ADVICE: PolicyAdvice = { correctionAdvice: null, compensatingControls: null };

const adviceMembers = ({ correctionAdvice, compensatingControls }: PolicyAdvice): string =>
  `,"correctionAdvice":${JSON.stringify(correctionAdvice)},"compensatingControls":${JSON.stringify(compensatingControls)}`;

/** Gives what explains a violation; violations are to be asked for in order. */
type ExplainViolation = (violation: Violation) => {
  readonly advice: Explanation['advice'];
  /** The members that explain an item by its id, each with a comma before it. */
  members(id: string): string;
};

// Reasons are linked for the items of some violations at a time: an answer that is full needs none for the rest.
const ITEMS_MAX = 16_384;

/** Explains the violations of a prediction, given in order. */
export function createExplain(
  { index, starts, violations }: ExplainedPrediction,
  explanation: Explanation,
): ExplainViolation {
  const origins = gatherOrigins(explanation, starts);
  let reasonFor: ReasonFor | null = null;
  let next = 0;
  let linkedEnd = 0;
  const link = (): ReasonFor => {
    const items = new Set<string>();
    for (linkedEnd = next; linkedEnd < violations.length && items.size < ITEMS_MAX; linkedEnd++)
      addItemIds(index, violations[linkedEnd], items);
    return linkAccess(explanation, origins, items);
  };
  return (violation) => {
    if (reasonFor === null || next >= linkedEnd) reasonFor = link();
    next += 1;
    const linked = reasonFor;
    const contributing = origins.contributingIn(violation.runs);
    return {
      advice: explanation.advice,
      members: (id) => {
        const { via, viaMore } = linked(id, contributing);
        return `,"via":${JSON.stringify(via)},"viaMore":${viaMore}`;
      },
    };
  };
}

interface ExplainedPrediction {
  readonly index: SodIndex;
  readonly starts: ArrayLike<number>;
  readonly violations: readonly Violation[];
}

function addItemIds(index: SodIndex, violation: Violation | undefined, ids: Set<string>): void {
  if (violation === undefined) return;
  const { rows, first } = policySidesAt(policyPlaceAt(index, violation.policy));
  const start = rows.starts[first] ?? 0;
  for (let item = 0; item < violation.shown.length; item++)
    if (violation.shown[item] !== NOT_SHOWN) ids.add(entitlementAt(index.catalogue, rows.values[start + item] ?? 0).id);
}
