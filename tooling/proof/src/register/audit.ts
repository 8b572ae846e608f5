import type { AccessAdminClient, CloudEvent } from '@access-admin/client';
import { type Outcome, summed } from '../campaign/campaign.ts';
import { waitUntil } from '../campaign/wait-until.ts';
import type { Changes } from './changes.ts';
import type { Receiver } from './receiver.ts';
import { findMistold, replay } from './replay.ts';

/** A register that is behind for longer than this after the last change is stuck. */
const BEHIND_MS_MAX = 30_000;
/** Leases of killed workers have to end before their webhooks go on. */
const DELIVERED_MS_MAX = 30_000;

/** What a register is audited with. */
export interface AuditedRegister {
  readonly root: AccessAdminClient;
  /** An identity that sees all events. */
  readonly auditor: AccessAdminClient;
  readonly changes: Changes;
  readonly receiver: Receiver;
  /** How many events there were when the webhook was created. */
  readonly earlier: number;
  readonly signal: AbortSignal;
}

/** Waits until the register is of the present and the receiver has all events; whether both were in time. */
export async function settleRegister({ root, auditor, receiver, earlier, signal }: AuditedRegister): Promise<boolean> {
  if (!(await awaitRegister(root, signal))) return false;
  const events = await readAll(auditor.events.list());
  return (await awaitDeliveries(events.slice(earlier), receiver, signal)).length === 0;
}

/** Compares the register, a scan of its instant, the events, the answers of callers, and what the receiver has. */
export async function auditRegister(audited: AuditedRegister, checks: Iterable<string>): Promise<Outcome> {
  const { root, auditor, changes, receiver, earlier, signal } = audited;
  const isBehind = !(await awaitRegister(root, signal));
  const scanned = await compareWithScan(root, signal);
  const events = await readAll(auditor.events.list());
  const violations = await readAll(root.violations.list());
  const told = replay(events, violations);
  const others = findAllMistold(events, changes, checks);
  const lost = [...told.lost, ...others.lost];
  const doubled = [...told.doubled, ...others.doubled];
  const undelivered = await awaitDeliveries(events.slice(earlier), receiver, signal);
  const present = violations.filter(({ closed }) => closed === null).length;
  return {
    counts: {
      'changes of the register': changes.imports + changes.approved.size + changes.revoked.size,
      violations: violations.length,
      present,
      events: events.length,
      'steps told': told.steps,
      'lost events': lost.length,
      'doubled events': doubled.length,
      deliveries: receiver.arrivals.length,
      undelivered: undelivered.length,
    },
    broken: [
      ...(isBehind ? [`the register is behind ${BEHIND_MS_MAX / 1_000} s after the last change`] : []),
      ...summed('differences between register and scan', scanned),
      ...told.gaps,
      ...summed('lost events', lost),
      ...summed('doubled events', doubled),
      ...summed('events that the receiver has not got', undelivered),
      ...summed('changes refused', changes.refusals),
      ...(violations.length > present && present > 0 ? [] : ['too few violations to prove anything']),
    ],
  };
}

function findAllMistold(events: readonly CloudEvent[], changes: Changes, checks: Iterable<string>) {
  const all = [
    findMistold(events, 'sod.check.completed', checks),
    findMistold(events, 'sod.exception.requested', changes.requested),
    findMistold(events, 'sod.exception.approved', changes.approved),
    findMistold(events, 'sod.exception.revoked', changes.revoked),
    findMistold(events, 'sod.exception.expired', []),
  ];
  return { lost: all.flatMap(({ lost }) => lost), doubled: all.flatMap(({ doubled }) => doubled) };
}

export const readAll = <T>(items: AsyncIterable<T>): Promise<readonly T[]> => Array.fromAsync(items);

/** Whether the register is of the present in time. */
export function awaitRegister({ violations }: AccessAdminClient, signal: AbortSignal): Promise<boolean> {
  const startMs = Date.now();
  const isCurrent = async () => Date.parse((await violations.page({ limit: 1 })).asOf ?? '') >= startMs;
  return waitUntil(isCurrent, { msMax: BEHIND_MS_MAX, everyMs: 50, signal });
}

/** The differences between the present violations and a scan of the instant that they are of. */
export async function compareWithScan(
  { violations, sodReports }: AccessAdminClient,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { asOf } = await violations.page({ limit: 1 });
  if (asOf === null) return ['the register was never filled'];
  const all = await readAll(violations.list({ filters: 'status in ("Open", "Mitigated")' }));
  const describe = (identityId: string, policyId: string, exception: { readonly id: string } | null) =>
    `${policyId} of ${identityId}, ${exception === null ? 'open' : `covered by ${exception.id}`}`;
  const kept = new Set(all.map(({ target, policy, exception }) => describe(target.id, policy.id, exception)));
  const { reportId } = await sodReports.scan({ at: asOf });
  await sodReports.waitFor(reportId, { signal });
  const found = await readAll(sodReports.violations(reportId));
  const scanned = new Set(
    found.map(({ identityId, policyId, exception }) => describe(identityId, policyId, exception)),
  );
  return [
    ...[...kept.difference(scanned)].map((each) => `only the register has ${each}`),
    ...[...scanned.difference(kept)].map((each) => `only the scan has ${each}`),
  ];
}

/** Waits for what the receiver lacks; returns the events that it has not got in time. */
async function awaitDeliveries(
  events: readonly CloudEvent[],
  { eventIds }: Receiver,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const missing = () => events.filter(({ id }) => !eventIds.has(id));
  await waitUntil(() => missing().length === 0, { msMax: DELIVERED_MS_MAX, everyMs: 50, signal });
  return missing().map(({ id, type }) => `${type} ${id}`);
}
