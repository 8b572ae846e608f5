import type { DryRunFields, REPORTS } from '@access-admin/contract';
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
import type { Pause } from '@access-admin/store';
import type { RequestContext } from '../../env.ts';
import type { Answer } from '../../http/answer.ts';
import { requestClosed } from '../../http/connection.ts';
import type { Input } from '../../operations/route.ts';
import { startReport } from './start-report.ts';

/** Starts a dry-run of policies, which are validated as if they were to be stored. */
export async function startDryRun(
  c: RequestContext,
  { caller: { tenant }, body }: Input<typeof REPORTS.startDryRun>,
): Promise<Answer> {
  const { jobs } = c.env.services;
  const pause = jobs.pauseOf(jobs.begin(tenant, requestClosed(c)));
  const given = toRequest(c, body);
  const unsound = await firstFailure(dryRunIssues(given), pause);
  if (unsound !== null) return fail(unsound);
  const base = await gatherBase(c, tenant, given, pause);
  const refused = await firstFailure(dryRunReferenceIssues(given, base), pause);
  if (refused !== null) return fail(refused);
  const dryRun = { ...given, change: keepLevels(body.change, given.change, base.present) };
  return startReport(c, { kind: 'DRY_RUN', dryRun, question: body.question });
}

function toRequest(c: RequestContext, { add, change, remove }: DryRunFields): DryRunRequest {
  const { system } = c.env.services;
  const asOf = system.now().toISOString();
  const made = { creatorId: null, modifierId: null, created: asOf, modified: asOf };
  const complete = ({
    id = system.newId(),
    level = SOD_POLICY_LEVEL_DEFAULT,
    ...fields
  }: DryRunFields['add'][number]) => ({ ...fields, id, level, ...made });
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
  c: RequestContext,
  tenant: string,
  request: DryRunRequest,
  pause: Pause,
): Promise<DryRunBase & { readonly present: ReadonlyMap<string, SodPolicyLevel> }> {
  const { reader, store } = c.env.services;
  // No identity has an empty id: only the catalogue is needed.
  const { index } = await reader.read(tenant, '');
  const given = [...request.add, ...request.change].map(({ id }) => id);
  const present = await store.reports.presentPolicies(tenant, [...given, ...request.remove]);
  const itemsBefore = new Map<string, ReadonlySet<string>>();
  for (const policy of request.change) {
    await pause();
    if (!hasUnresolvedItem(index, policy)) continue;
    const before = await store.policies.find(tenant, policy.id);
    if (before !== null)
      itemsBefore.set(policy.id, new Set(placedItems(before.conflictingAccessCriteria).map((item) => item.id)));
  }
  return { index, present, itemsBefore };
}
