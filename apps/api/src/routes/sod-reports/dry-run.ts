import type { DryRunFields } from '@access-admin/contract';
import {
  type DryRunBase,
  type DryRunRequest,
  fail,
  findUnresolvedChanges,
  placedItems,
  type Steps,
  validateDryRun,
  validateDryRunReferences,
} from '@access-admin/domain';
import type { SodReader } from '@access-admin/rulebook-cache';
import type { PolicyStore } from '@access-admin/store';
import type { Pace } from '../../event-loop/pace.ts';
import { ended } from '../../http/connection.ts';
import type { OperationHandler } from '../../operations/operation.ts';
import { type StartReportDeps, startReport } from './start-report.ts';

export interface DryRunDeps extends StartReportDeps {
  readonly policies: Pick<PolicyStore, 'find'>;
  readonly reader: SodReader;
  readonly pace: Pace;
}

/** start-sod-dry-run-v1: validates the policies as if they were to be stored, in steps. */
export const startSodDryRun =
  (deps: DryRunDeps): OperationHandler<'start-sod-dry-run-v1'> =>
  async ({ caller: { tenant }, body, c }) => {
    const job = deps.pace.begin(tenant, ended(c));
    const run: RunSteps = (steps) => deps.pace.run(job, joined(steps, POLICIES_AT_ONCE));
    const request = toRequest(deps, body);
    const unsound = await run(validateDryRun(request));
    if (unsound !== null) return fail(unsound);
    const base = await gatherBase(deps, tenant, request, run);
    const refused = await run(validateDryRunReferences(request, base));
    if (refused !== null) return fail(refused);
    return startReport(deps, { tenant, kind: 'DRY_RUN', dryRun: request, blastRadius: null, at: null });
  };

function toRequest(
  { now, newId }: Pick<DryRunDeps, 'now' | 'newId'>,
  { add, change, remove }: DryRunFields,
): DryRunRequest {
  const asOf = now().toISOString();
  const complete = ({ id = newId(), ...fields }: DryRunFields['add'][number]) => ({
    ...fields,
    id,
    created: asOf,
    modified: asOf,
  });
  return { add: add.map(complete), change: change.map(complete), remove };
}

type RunSteps = <T>(steps: Steps<T>) => Promise<T>;

async function gatherBase(
  { reader, reports, policies }: Pick<DryRunDeps, 'reader' | 'reports' | 'policies'>,
  tenant: string,
  request: DryRunRequest,
  run: RunSteps,
): Promise<DryRunBase> {
  // No identity has an empty id: only the catalogue is needed.
  const { index } = await reader.read(tenant, '');
  const given = [...request.add, ...request.change].map(({ id }) => id);
  const present = await reports.presentPolicies(tenant, [...given, ...request.remove]);
  const itemsBefore = new Map<string, ReadonlySet<string>>();
  for (const id of await run(findUnresolvedChanges(index, request))) {
    const before = await policies.find(tenant, id);
    if (before !== null)
      itemsBefore.set(id, new Set(placedItems(before.conflictingAccessCriteria).map((item) => item.id)));
  }
  return { index, present, itemsBefore };
}

// Policies in one step.
const POLICIES_AT_ONCE = 20;

/** Joins several steps into one. */
function* joined<T>(steps: Steps<T>, count: number): Steps<T> {
  for (;;) {
    for (let each = 0; each < count; each++) {
      const step = steps.next();
      if (step.done === true) return step.value;
    }
    yield;
  }
}
