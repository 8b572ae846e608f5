import { SOD_VIOLATION_LEVELS } from '@access-admin/domain';
import type { LostMail, MailClaim, MailStore } from '@access-admin/store';
import type { JobOutcome } from '@access-admin/telemetry';
import type { Logger } from 'pino';
import { createLeasedJob, type LeasedJobDeps } from '../leased/job.ts';
import type { LeasedWork } from '../leased/loop.ts';
import { WorkStopped } from '../leased/pause.ts';
import { type ComposeDeps, composeMail } from './compose.ts';
import type { MailServer, SendOutcome } from './server.ts';
import { writeMail } from './write.ts';

export interface MailWorkDeps extends ComposeDeps, Pick<LeasedJobDeps, 'leaseMs' | 'onJobEnd'> {
  readonly mails: MailStore;
  readonly server: MailServer;
  /** `{tenant}` in it stands for the tenant. */
  readonly baseAddress: string;
  readonly log: Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;
}

/** The mails that are sent at the same time; at most half of them are of one tenant. */
const AT_ONCE_MAX = 4;
const TENANT_MAX = AT_ONCE_MAX / 2;
// The pauses of a server that is away, and those of one mail.
const AWAY_FIRST_MS = 2_000;
const AWAY_MAX_MS = 60_000;
const LATER_FIRST_MS = 60_000;
const LATER_MAX_MS = 3_600_000;

/**
 * Sends mails, each at least once. Tries one mail at a time while the server is away, after pauses that grow; logs the beginning and
 * the end of an outage.
 */
export function createMailWork(deps: MailWorkDeps): LeasedWork<MailClaim> {
  const { mails, log, now } = deps;
  let away = { attempts: 0, untilMs: 0 };
  const noteServer = (outcome: SendOutcome) => {
    if (outcome.kind !== 'away') {
      if (away.attempts > 0) log.info('the mail server takes mails again');
      away = { attempts: 0, untilMs: 0 };
      return;
    }
    if (away.attempts === 0) log.error({ err: outcome.error }, 'the mail server takes no mails');
    // What was under way at the same time does not prolong the pause.
    if (now() >= away.untilMs)
      away = { attempts: away.attempts + 1, untilMs: now() + pauseMs(away.attempts, AWAY_FIRST_MS, AWAY_MAX_MS) };
  };
  return createLeasedJob(
    {
      kind: 'mail',
      leases: mails,
      atOnceMax: () => {
        // A clock that was set back ends a pause.
        const isPaused = now() < away.untilMs && away.untilMs - now() <= AWAY_MAX_MS;
        if (isPaused) return 0;
        return away.attempts > 0 ? 1 : AT_ONCE_MAX;
      },
      tenantMax: TENANT_MAX,
      idsOf: ({ id, kind }) => ({ mailId: id, mailKind: kind }),
      attemptOf: ({ failures }) => failures + 1,
      run: (claim, { signal }) => work(deps, { claim, signal, noteServer }),
    },
    // What a mail takes is the time of its server.
    { ...deps, busyMs: now, yieldIfDue: () => undefined },
  );
}

interface Underway {
  readonly claim: MailClaim;
  readonly signal: AbortSignal;
  noteServer(outcome: SendOutcome): void;
}

async function work(deps: MailWorkDeps, { claim, signal, noteServer }: Underway): Promise<JobOutcome> {
  const { mails, log, now } = deps;
  const named = namedOf(claim);
  if (claim.recipientId === null) {
    await spread(deps, claim);
    return 'success';
  }
  const outcome = await attempt(deps, claim, signal).catch((error: unknown) => {
    throw signal.aborted ? new WorkStopped() : error;
  });
  if (outcome === 'unsent') {
    await mails.end(claim);
    return 'success';
  }
  noteServer(outcome);
  if (outcome.kind === 'away') {
    await mails.release(claim, { availableAtMs: 0, isAttempt: false });
    return 'retry';
  }
  if (outcome.kind === 'later') {
    log.info({ ...named, err: outcome.error }, 'a mail was put off by the server');
    await mails.postpone(claim, now() + pauseMs(claim.failures, LATER_FIRST_MS, LATER_MAX_MS));
    return 'retry';
  }
  if (outcome.kind === 'refused')
    log.warn({ ...named, err: outcome.error }, 'a mail was refused for good, and is given up');
  await mails.end(claim);
  return outcome.kind === 'refused' ? 'error' : 'success';
}

/** Rejects what a server could read as two addresses, or as a header. */
const EMAIL = /^[^\s<>()[\],;:"\\@\p{Cc}]{1,64}@[^\s<>()[\],;:"\\@\p{Cc}]{1,255}$/u;

async function attempt(deps: MailWorkDeps, claim: MailClaim, signal: AbortSignal): Promise<SendOutcome | 'unsent'> {
  const { mails, server, log, baseAddress } = deps;
  const { tenant, id, recipientId } = claim;
  const recipient = recipientId === null ? null : await mails.findRecipient(tenant, recipientId);
  const to = recipient?.email ?? '';
  if (recipient === null || !EMAIL.test(to)) {
    log.debug(namedOf(claim), 'a mail has no address, and is left out');
    return 'unsent';
  }
  const address = baseAddress.replace('{tenant}', tenant);
  const content = await composeMail(deps, claim, address);
  if (content === null) {
    log.debug(namedOf(claim), 'a mail is out of date, and is left out');
    return 'unsent';
  }
  return server.send({ id, to, ...writeMail(recipient, content, address) }, signal);
}

/** Puts mails to several in the place of one. */
async function spread({ mails, exceptions, now }: MailWorkDeps, claim: MailClaim): Promise<void> {
  const { tenant, kind, data } = claim;
  const time = new Date(now()).toISOString();
  if (kind === 'violations-weekly') {
    const byOwner = Map.groupBy(await mails.countByOwner(tenant), ({ ownerId }) => ownerId);
    const weekly = Array.from(byOwner, ([recipientId, counts]) => ({
      kind,
      recipientId,
      data: Object.fromEntries(counts.map(({ levelRank, count }) => [SOD_VIOLATION_LEVELS[levelRank - 1], count])),
    }));
    return mails.spread(claim, time, weekly);
  }
  const found = await exceptions.find(tenant, String(data['exceptionId']), time);
  if (found === null) return mails.spread(claim, time, []);
  const involved = [found.exception.requesterId, found.exception.identityId];
  const approvers = (await mails.findApprovers(tenant)).filter((id) => !involved.includes(id));
  return mails.spread(
    claim,
    time,
    approvers.map((recipientId) => ({ kind, recipientId, data })),
  );
}

/** How the log names a mail. */
export const namedOf = ({ tenant, id, kind, recipientId }: LostMail): Readonly<Record<string, string | null>> => ({
  tenant,
  mailId: id,
  mailKind: kind,
  identityId: recipientId,
});

const pauseMs = (failures: number, firstMs: number, maxMs: number): number => Math.min(firstMs * 2 ** failures, maxMs);
