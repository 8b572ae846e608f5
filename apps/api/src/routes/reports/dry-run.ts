import type { DryRunFields } from '@access-admin/contract';
import {
  CAUSES_MAX,
  type DryRunBase,
  type DryRunRequest,
  dryRunIssues,
  dryRunReferenceIssues,
  type Failure,
  fail,
  failureOf,
  hasUnresolvedItem,
  type Issue,
  placedItems,
  SOD_POLICY_LEVEL_DEFAULT,
  type SodPolicyLevel,
} from '@access-admin/domain';
import type { Pause, PolicyStore, SodReader } from '@access-admin/store';
import type { Jobs } from '../../event-loop/jobs.ts';
import { requestClosed } from '../../http/connection.ts';
import { requestOrigin } from '../../http/request-origin.ts';
import type { OperationHandler } from '../../operations/operation.ts';
import { type StartReportDeps, startReport } from './start-report.ts';

export interface DryRunDeps extends StartReportDeps {
  readonly policies: Pick<PolicyStore, 'find'>;
  readonly reader: SodReader;
  readonly jobs: Jobs;
}

/** start-sod-dry-run-v1: validates the policies as if they were to be stored. */
export const startSodDryRun =
  (deps: DryRunDeps): OperationHandler<'start-sod-dry-run-v1'> =>
  async ({ caller, body, c }) => {
    const { tenant } = caller;
    const job = deps.jobs.begin(tenant, requestClosed(c));
    const pause = deps.jobs.pauseOf(job);
    const given = toRequest(deps, body);
    const unsound = await firstFailure(dryRunIssues(given), pause);
    if (unsound !== null) return fail(unsound);
    const base = await gatherBase(deps, tenant, given, pause);
    const refused = await firstFailure(dryRunReferenceIssues(given, base), pause);
    if (refused !== null) return fail(refused);
    const dryRun = { ...given, change: keepLevels(body.change, given.change, base.present) };
    return startReport(deps, caller, {
      kind: 'DRY_RUN',
      dryRun,
      blastRadius: null,
      at: null,
      question: body.question,
      origin: requestOrigin(c),
    });
  };

function toRequest(
  { now, newId }: Pick<DryRunDeps, 'now' | 'newId'>,
  { add, change, remove }: DryRunFields,
): DryRunRequest {
  const asOf = now().toISOString();
  const complete = ({ id = newId(), level = SOD_POLICY_LEVEL_DEFAULT, ...fields }: DryRunFields['add'][number]) => ({
    ...fields,
    id,
    level,
    creatorId: null,
    modifierId: null,
    created: asOf,
    modified: asOf,
  });
  return { add: add.map(complete), change: change.map(complete), remove };
}

/** Changed policies as a PUT of them would leave them: a level that is left out stays. */
const keepLevels = (
  written: DryRunFields['change'],
  change: DryRunRequest['change'],
  present: ReadonlyMap<string, SodPolicyLevel>,
): DryRunRequest['change'] =>
  change.map((policy, at) => ({ ...policy, level: written[at]?.level ?? present.get(policy.id) ?? policy.level }));

/** The failure of as many issues as it names; null when there is none. */
async function firstFailure(pieces: Iterable<readonly Issue[]>, pause: Pause): Promise<Failure | null> {
  const found: Issue[] = [];
  for (const issues of pieces) {
    found.push(...issues);
    if (found.length >= CAUSES_MAX) break;
    await pause();
  }
  return failureOf(found);
}

async function gatherBase(
  { reader, reports, policies }: Pick<DryRunDeps, 'reader' | 'reports' | 'policies'>,
  tenant: string,
  request: DryRunRequest,
  pause: Pause,
): Promise<DryRunBase & { readonly present: ReadonlyMap<string, SodPolicyLevel> }> {
  // No identity has an empty id: only the catalogue is needed.
  const { index } = await reader.read(tenant, '');
  const given = [...request.add, ...request.change].map(({ id }) => id);
  const present = await reports.presentPolicies(tenant, [...given, ...request.remove]);
  const itemsBefore = new Map<string, ReadonlySet<string>>();
  for (const policy of request.change) {
    await pause();
    if (!hasUnresolvedItem(index, policy)) continue;
    const before = await policies.find(tenant, policy.id);
    if (before !== null)
      itemsBefore.set(policy.id, new Set(placedItems(before.conflictingAccessCriteria).map((item) => item.id)));
  }
  return { index, present, itemsBefore };
}
