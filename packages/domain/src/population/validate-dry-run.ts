import { entitlementsOf } from '../evaluation/expand-access.ts';
import type { SodPolicy } from '../policy/model.ts';
import { placedItems, validateSodPolicy } from '../policy/validation.ts';
import { type Failure, failure } from '../result/failure.ts';
import { CAUSES_MAX, failureOf, type Issue, issuesOf } from '../result/issue.ts';
import type { SodIndex } from '../rulebook/sod-index.ts';
import type { Steps } from '../steps/work-budget.ts';
import { DRY_RUN_POLICIES_MAX, type DryRunRequest } from './report.ts';

/**
 * Validates a dry-run by itself, with a pause after each policy: at most 10,000 policies (`LimitExceeded`), each as valid as
 * a new policy (`validateSodPolicy`), no id repeated (`IllegalValue`). Null when valid.
 */
export function* validateDryRun(request: DryRunRequest): Steps<Failure | null> {
  const { add, change, remove } = request;
  if (add.length + change.length + remove.length > DRY_RUN_POLICIES_MAX)
    return failure('LimitExceeded', '', `must have at most ${DRY_RUN_POLICIES_MAX} policies`);
  const issues: Issue[] = [];
  for (const { at, policy } of givenPolicies(request)) {
    const invalid = validateSodPolicy(policy);
    if (invalid !== null) issues.push(...issuesOf(invalid).map((issue) => ({ ...issue, at: `${at}.${issue.at}` })));
    if (issues.length >= CAUSES_MAX) break;
    yield;
  }
  return failureOf(issues) ?? failureOf(repeatedIds(request));
}

function* repeatedIds(request: DryRunRequest): Generator<Issue> {
  const seen = new Set<string>();
  const given = [...givenPolicies(request)].map(({ at, policy: { id } }) => ({ at: `${at}.id`, id }));
  const removed = request.remove.map((id, position) => ({ at: `remove[${position}]`, id }));
  for (const { at, id } of [...given, ...removed]) {
    if (seen.has(id)) yield { type: 'IllegalValue', at, text: 'is the id of another policy of this dry-run' };
    seen.add(id);
  }
}

function* givenPolicies({
  add,
  change,
}: DryRunRequest): Generator<{ readonly at: string; readonly policy: SodPolicy }> {
  for (const [position, policy] of add.entries()) yield { at: `add[${position}]`, policy };
  for (const [position, policy] of change.entries()) yield { at: `change[${position}]`, policy };
}

/** The ids of changed policies with items that the catalogue lacks, with a pause after each policy. They may have had these items before. */
export function* findUnresolvedChanges(index: SodIndex, { change }: DryRunRequest): Steps<readonly string[]> {
  const unresolved: string[] = [];
  for (const { id, conflictingAccessCriteria } of change) {
    if (placedItems(conflictingAccessCriteria).some((item) => !isEntitlement(index, item.id))) unresolved.push(id);
    yield;
  }
  return unresolved;
}

/** The state that a dry-run is validated against. */
export interface DryRunBase {
  readonly index: SodIndex;
  /** The ids of the dry-run that existing policies have. */
  readonly present: ReadonlySet<string>;
  /** The current item ids of the policies that `findUnresolvedChanges` returned, by policy id. */
  readonly itemsBefore: ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * Validates a dry-run against the rulebook, with a pause after each policy. Changed and removed policies must exist, and so
 * must each item that a policy did not have before (`ReferenceNotFound`); added policies must not exist (`Conflict`). Null
 * when valid.
 */
export function* validateDryRunReferences(
  request: DryRunRequest,
  { index, present, itemsBefore }: DryRunBase,
): Steps<Failure | null> {
  const issues: Issue[] = [];
  const missing = (at: string, text: string) => issues.push({ type: 'ReferenceNotFound', at, text });
  for (const { at, policy } of givenPolicies(request)) {
    if (at.startsWith('change') && !present.has(policy.id)) missing(`${at}.id`, `there is no SOD policy ${policy.id}`);
    const before = at.startsWith('change') ? itemsBefore.get(policy.id) : undefined;
    for (const item of placedItems(policy.conflictingAccessCriteria)) {
      if (!isEntitlement(index, item.id) && before?.has(item.id) !== true)
        missing(`${at}.${item.at}`, `there is no ENTITLEMENT ${item.id}`);
    }
    if (issues.length >= CAUSES_MAX) return failureOf(issues);
    yield;
  }
  for (const [position, id] of request.remove.entries())
    if (!present.has(id)) missing(`remove[${position}]`, `there is no SOD policy ${id}`);
  return failureOf(issues) ?? failureOf(takenIds(request, present));
}

function* takenIds({ add }: DryRunRequest, present: ReadonlySet<string>): Generator<Issue> {
  for (const [position, { id }] of add.entries()) {
    if (present.has(id))
      yield { type: 'Conflict', at: `add[${position}].id`, text: `there is an SOD policy ${id} already` };
  }
}

const isEntitlement = ({ catalogue }: SodIndex, id: string): boolean =>
  entitlementsOf(catalogue, { type: 'ENTITLEMENT', id }) !== undefined;
