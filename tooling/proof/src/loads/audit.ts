import { isDeepStrictEqual } from 'node:util';
import type { AccessAdminClient, SourceLoad } from '@access-admin/client';
import { summed } from '../campaign/campaign.ts';
import { readAuditChain } from '../load/audit.ts';
import {
  displayNameOf,
  type ExpectedCounts,
  entitlementOf,
  type PlannedLoad,
  type SourceWorld,
} from './planned-load.ts';

/** A load that has ended, as it was seen then. */
export interface EndedLoad {
  readonly plan: PlannedLoad;
  readonly load: SourceLoad;
}

/** What is wrong with loads, one sentence each. */
export interface LoadFaults {
  readonly twice: string[];
  readonly half: string[];
  readonly wrong: string[];
}

/** Compares the summary of an ended load with what it had to do. */
export function auditSummary({ plan, load }: EndedLoad, faults: LoadFaults): void {
  const { state, summary, loadId } = load;
  if (state !== plan.state) faults.wrong.push(`${loadId} ended in ${state}: ${load.message ?? load.reason}`);
  if (summary === null) return void faults.wrong.push(`${loadId} has no summary`);
  const { accounts, identities, access, catalogue, faultCount } = summary;
  const counts: ExpectedCounts = { accounts, identities, access, catalogue, faultCount };
  if (isDeepStrictEqual(counts, plan.expected)) return;
  const applied = accounts.created + accounts.updated + accounts.unchanged;
  const text = `${loadId} has ${JSON.stringify(counts)} in place of ${JSON.stringify(plan.expected)}`;
  if (plan.state === 'REFUSED') faults.wrong.push(text);
  else if (applied > plan.records || catalogue.created + catalogue.updated > 1) faults.twice.push(text);
  else if (applied < plan.records) faults.half.push(text);
  else faults.wrong.push(text);
}

/** The differences between the accounts of a source and what its loads have left. */
export async function auditAccounts(
  { accounts }: AccessAdminClient,
  source: string,
  world: SourceWorld,
): Promise<readonly string[]> {
  const held = new Map<string, string>();
  for await (const { id, displayName, access, identityId } of accounts.list({ filters: `source eq "${source}"` }))
    held.set(id, `${displayName} ${access.map((ref) => ref.id)} ${identityId}`);
  const texts = new Map(
    [...world.accounts].map(([id, number]) => [id, `${displayNameOf(number)} ${entitlementOf(source, number)} ${id}`]),
  );
  return differences(held, texts);
}

/** The differences between the identities of a source with what they hold, and what its loads have left. */
export async function auditIdentities(
  { accessModel, entitlements }: AccessAdminClient,
  source: string,
  { world, loads }: { readonly world: SourceWorld; readonly loads: number },
): Promise<readonly string[]> {
  const names = new Map<string, string>();
  const known = new Set<string>();
  for await (const record of accessModel.export()) {
    if (record.kind === 'identity' && record.id.startsWith(`${source}-`)) names.set(record.id, `${record.displayName}`);
    if (record.kind === 'entitlement') known.add(record.id);
  }
  const expected = new Map([...world.identities].map(([id, number]) => [id, displayNameOf(number)]));
  const holders = new Map<string, string>();
  for (let number = 1; number <= loads; number++) {
    const id = entitlementOf(source, number);
    if (!known.has(id)) continue;
    for await (const { identity } of entitlements.holders(id)) holders.set(`${identity.id} ${id}`, 'holds');
  }
  const granted = new Map(
    [...world.accounts].map(([id, number]) => [`${id} ${entitlementOf(source, number)}`, 'holds']),
  );
  return [...differences(names, expected), ...differences(holders, granted)];
}

function differences(held: ReadonlyMap<string, string>, expected: ReadonlyMap<string, string>): readonly string[] {
  const ids = new Set([...held.keys(), ...expected.keys()]);
  return [...ids]
    .filter((id) => held.get(id) !== expected.get(id))
    .map((id) => `${id}: ${held.get(id) ?? 'nothing'} in place of ${expected.get(id) ?? 'nothing'}`);
}

/** The loads that have ended otherwise than once: told again or not at all, or changed since they were seen to end. */
export async function auditEnds(
  { sourceLoads, events, auditEvents }: AccessAdminClient,
  ended: readonly EndedLoad[],
): Promise<readonly string[]> {
  const told: string[] = [];
  for await (const { data } of events.list({ types: ['access-model.loaded'] })) told.push(Object(data).loadId);
  const recorded: string[] = [];
  for await (const { changes } of auditEvents.export())
    for (const { field, after } of changes) if (field === 'load') recorded.push(Object(after).loadId);
  const count = (ids: readonly string[], loadId: string) => ids.filter((id) => id === loadId).length;
  const faults: string[] = [];
  for (const { load, plan } of ended) {
    const { loadId, source } = load;
    const times = plan.dryRun || plan.state === 'REFUSED' ? 0 : 1;
    const counts = [count(told, loadId), count(recorded, loadId)];
    if (counts.some((each) => each !== times))
      faults.push(`${loadId} was told ${counts[0]} and recorded ${counts[1]} times`);
    if (!isDeepStrictEqual(await sourceLoads.get(source, loadId), load)) faults.push(`${loadId} changed after its end`);
  }
  return faults;
}

/** Findings about the audit log as a chain. */
export async function auditChain(client: AccessAdminClient): Promise<readonly string[]> {
  const { fault } = await readAuditChain(client);
  return summed('faults of the audit log', fault === null ? [] : [fault]);
}
