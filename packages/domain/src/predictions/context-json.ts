import {
  isShownAsKOfN,
  type PolicyPlace,
  policyAt,
  policyPlaceAt,
  policySidesAt,
  type ShownItem,
  type SodIndex,
  shownItems,
  sideNamesAt,
  type Violation,
} from '../sod/index.ts';
import type { ExceptionCoverage } from './coverage.ts';
import { gatherOrigins } from './path-origins.ts';
import type { NamePending } from './pending.ts';
import { type AccessGraph, linkAccess, type ReasonFor } from './reasons.ts';
import type { PolicyAdvice, ViolationCoverage } from './violation-context.ts';

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
  /** Null where no reservation counts. */
  readonly namePending: NamePending | null;
}

/** The JSON text of a violation: a `ViolationContext`. */
export function contextJson(
  index: SodIndex,
  violation: Violation,
  { coverage, explain, namePending }: ContextParts,
): string {
  const place = policyPlaceAt(index, violation.policy);
  const policy = policyAt(place);
  const reasons = explain === null ? null : explain(violation);
  const covered = coverage?.coverageOf(violation);
  const explained = reasons?.members ?? noMembers;
  const membersOf: ItemMembers =
    namePending === null
      ? ({ item }) => explained(item.id)
      : ({ item, existing }) => (existing ? '' : pendingMember(namePending(violation, item.id))) + explained(item.id);
  const advice = reasons === null ? '' : adviceMembers(reasons.advice.get(policy.id) ?? NO_ADVICE);
  return (
    `{"policy":${JSON.stringify(policy)},"preexisting":${violation.preexisting},` +
    `"conflictingAccessCriteria":${conflictJson(place, shownItems(index, violation), membersOf)}` +
    `${advice}${covered === undefined ? '' : coverageMembers(covered)}}`
  );
}

function coverageMembers(coverage: ViolationCoverage): string {
  const exception = `,"exception":${JSON.stringify(coverage.exception)}`;
  return coverage.exception !== null || coverage.exceptionEnds === null
    ? exception
    : `${exception},"exceptionEnds":${JSON.stringify(coverage.exceptionEnds)}`;
}

const pendingMember = (pending: ReturnType<NamePending>): string =>
  pending.length === 0 ? '' : `,"pending":${JSON.stringify(pending)}`;

const noMembers = () => '';

/** Gives the members that an item has beside its id and name, each with a comma before it. */
type ItemMembers = (item: ShownItem) => string;

/** Gives the members that explain an item by its id, each with a comma before it. */
type ReasonMembers = (id: string) => string;

function conflictJson(
  place: PolicyPlace,
  itemsBySide: readonly (readonly ShownItem[])[],
  membersOf: ItemMembers,
): string {
  if (!isShownAsKOfN(place)) {
    const [left = [], right = []] = itemsBySide;
    return (
      `{"leftCriteria":{"criteriaList":[${itemsJson(left, membersOf)}]},` +
      `"rightCriteria":{"criteriaList":[${itemsJson(right, membersOf)}]}}`
    );
  }
  const names = sideNamesAt(place);
  const sides: string[] = [];
  for (const [side, items] of itemsBySide.entries()) {
    if (items.length === 0) continue;
    const name = JSON.stringify(names[side] ?? null);
    sides.push(`{"name":${name},"criteriaList":[${itemsJson(items, membersOf)}]}`);
  }
  return `{"criteria":[${sides.join()}],"atLeast":${policySidesAt(place).atLeast}}`;
}

function itemsJson(items: readonly ShownItem[], membersOf: ItemMembers): string {
  let json = '';
  for (const shown of items) {
    const { item, existing } = shown;
    json +=
      `${json === '' ? '' : ','}{"type":"ENTITLEMENT","id":${JSON.stringify(item.id)},"name":${JSON.stringify(item.name)},` +
      `"existing":${existing}${membersOf(shown)}}`;
  }
  return json;
}

const NO_ADVICE: PolicyAdvice = { correctionAdvice: null, compensatingControls: null };

const adviceMembers = ({ correctionAdvice, compensatingControls }: PolicyAdvice): string =>
  `,"correctionAdvice":${JSON.stringify(correctionAdvice)},"compensatingControls":${JSON.stringify(compensatingControls)}`;

/** Gives what explains a violation; violations are to be asked for in order. */
type ExplainViolation = (violation: Violation) => {
  readonly advice: Explanation['advice'];
  readonly members: ReasonMembers;
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
  for (const items of shownItems(index, violation)) for (const { item } of items) ids.add(item.id);
}
