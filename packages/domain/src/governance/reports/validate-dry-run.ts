import { type Issue, issuesOf } from '../../basics/result/issue.ts';
import type { SodPolicy } from '../../policies/model.ts';
import { placedItems, validateSodPolicy } from '../../policies/validation.ts';
import { entitlementsOf, type SodIndex } from '../../sod/index.ts';
import type { DryRunRequest } from './report.ts';

/**
 * The issues of a dry-run by itself, policy by policy, mostly none: each policy is as valid as a new one (`validateSodPolicy`),
 * and no id is repeated (`IllegalValue`).
 */
export function* dryRunIssues(request: DryRunRequest): Generator<readonly Issue[], void> {
  let isSound = true;
  for (const { at, policy } of givenPolicies(request)) {
    const invalid = validateSodPolicy(policy);
    if (invalid !== null) isSound = false;
    yield invalid === null ? NO_ISSUES : issuesOf(invalid).map((issue) => ({ ...issue, at: `${at}.${issue.at}` }));
  }
  if (isSound) yield [...repeatedIds(request)];
}

const NO_ISSUES: readonly Issue[] = [];

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

/** Whether a policy has items that the catalogue lacks. A changed policy may have had these items before. */
export const hasUnresolvedItem = (index: SodIndex, { conflictingAccessCriteria }: SodPolicy): boolean =>
  placedItems(conflictingAccessCriteria).some((item) => !isEntitlement(index, item.id));

/** The state that a dry-run is validated against. */
export interface DryRunBase {
  readonly index: SodIndex;
  /** The ids of the dry-run that existing policies have. */
  readonly present: Pick<ReadonlyMap<string, unknown>, 'has'>;
  /** The current item ids of the changed policies for which `hasUnresolvedItem` is true, by policy id. */
  readonly itemsBefore: ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * The issues of a dry-run against the rulebook, policy by policy, mostly none. Changed and removed policies must exist, and so
 * must each item that a policy did not have before (`ReferenceNotFound`); added policies must not exist (`Conflict`).
 */
export function* dryRunReferenceIssues(
  request: DryRunRequest,
  { index, present, itemsBefore }: DryRunBase,
): Generator<readonly Issue[], void> {
  let isSound = true;
  const missing = (at: string, text: string): Issue => ({ type: 'ReferenceNotFound', at, text });
  for (const { at, policy } of givenPolicies(request)) {
    const isChange = at.startsWith('change');
    const before = isChange ? itemsBefore.get(policy.id) : undefined;
    const absent =
      isChange && !present.has(policy.id) ? [missing(`${at}.id`, `there is no SOD policy ${policy.id}`)] : NO_ISSUES;
    const unresolved = placedItems(policy.conflictingAccessCriteria).flatMap((item) =>
      isEntitlement(index, item.id) || before?.has(item.id) === true
        ? []
        : [missing(`${at}.${item.at}`, `there is no ENTITLEMENT ${item.id}`)],
    );
    const issues = [...absent, ...unresolved];
    if (issues.length > 0) isSound = false;
    yield issues;
  }
  for (const [position, id] of request.remove.entries()) {
    if (present.has(id)) continue;
    isSound = false;
    yield [missing(`remove[${position}]`, `there is no SOD policy ${id}`)];
  }
  if (isSound) yield [...takenIds(request, present)];
}

function* takenIds({ add }: DryRunRequest, present: DryRunBase['present']): Generator<Issue> {
  for (const [position, { id }] of add.entries()) {
    if (present.has(id))
      yield { type: 'Conflict', at: `add[${position}].id`, text: `there is an SOD policy ${id} already` };
  }
}

const isEntitlement = ({ catalogue }: SodIndex, id: string): boolean =>
  entitlementsOf(catalogue, { type: 'ENTITLEMENT', id }) !== undefined;
