import {
  type AccessDecision,
  type AccessQuestion,
  type AccessTarget,
  accessStatesOf,
  accessTargetOf,
  assignedAt,
  contextsFor,
  decisionOf,
  fail,
  givesAccess,
  heldDecision,
  isHeldAt,
  judgeRequest,
  NO_SUBJECT,
  ok,
  type Remediation,
  type Result,
  refusedDecision,
  type SubjectType,
  searchRemediation,
  validateInstants,
} from '@access-admin/domain';
import type { Slot } from '@access-admin/scheduling';
import { predictOn, readPrediction, type SodReading } from '@access-admin/store';
import type { RequestContext } from '../../env.ts';
import { runInPieces } from '../../event-loop/in-pieces.ts';
import type { Job } from '../../event-loop/jobs.ts';
import { callerOf } from '../../http/caller.ts';
import { requestClosed } from '../../http/connection.ts';
import type { ApiFailure } from '../../http/problem.ts';
import type { Services } from '../../services.ts';
import { explainingFull } from '../predictions/long-answer.ts';

/** The work on decisions of one request. */
export interface DecisionWork {
  readonly services: Services;
  readonly job: Job;
  /** Opens the slot of a remedy, which takes long. */
  readonly openSlot: () => Slot;
}

/** Begins the work on the decisions of a request. It ends when the caller leaves, unless that is not worth watching. */
export function beginDecisions(c: RequestContext, left: AbortSignal | null = requestClosed(c)): DecisionWork {
  const { services } = c.env;
  const { tenant } = callerOf(c);
  const openSlot = () => services.semaphores.explaining.open(tenant, { signal: () => requestClosed(c) });
  return { services, job: services.jobs.begin(tenant, left), openSlot };
}

/** No identity has this id. */
const NOBODY = ' ';

/** Decides on a question. Fails only where a remedy finds no slot. */
export async function decide(
  work: DecisionWork,
  question: AccessQuestion,
): Promise<Result<AccessDecision, ApiFailure>> {
  const { services, job } = work;
  const identityId = await identityOf(services, job.tenant, question.subject);
  // Before the data: what is committed after the instant that the answer tells may be missing.
  const now = services.system.now();
  const reading = await services.reader.read(job.tenant, identityId);
  const basis = { policySetVersion: reading.policySetVersion, asOf: now.toISOString() };
  const target = accessTargetOf(reading.index.catalogue, question);
  if (!target.ok) return ok(refusedDecision(target.failure, basis));
  if (reading.held === null) return ok(refusedDecision(NO_SUBJECT, basis));
  if (target.value.kind === 'request')
    return decideRequest(work, { question, identityId, reading, accessRefs: target.value.accessRefs, now });
  const ms = question.time === null ? now.getTime() : Date.parse(question.time);
  const isHeld = await findHeld(work, { target: target.value, reading, identityId, ms });
  return ok(isHeld === null ? refusedDecision(NO_SUBJECT, basis) : heldDecision(isHeld, basis));
}

/** The first data of a search: of a subject, or of none in particular. */
export const readSubject = async (
  { services, job }: DecisionWork,
  subject: AccessQuestion['subject'] | null,
): Promise<{ readonly identityId: string; readonly reading: SodReading; readonly now: Date }> => {
  const identityId = subject === null ? NOBODY : await identityOf(services, job.tenant, subject);
  const now = services.system.now();
  return { identityId, reading: await services.reader.read(job.tenant, identityId), now };
};

async function identityOf(
  { store }: Services,
  tenant: string,
  { type, id }: AccessQuestion['subject'],
): Promise<string> {
  if (type === ('identity' satisfies SubjectType)) return id;
  return type === ('user' satisfies SubjectType)
    ? ((await store.subjects.findByUsername(tenant, id)) ?? NOBODY)
    : NOBODY;
}

interface HeldQuestion {
  readonly target: Exclude<AccessTarget, { readonly kind: 'request' }>;
  readonly reading: SodReading;
  readonly identityId: string;
  readonly ms: number;
}

/** Whether a subject has something; null where the subject has been deleted meanwhile. */
async function findHeld(
  { services, job }: DecisionWork,
  { target, reading, identityId, ms }: HeldQuestion,
): Promise<boolean | null> {
  const { store } = services;
  const { catalogue } = reading.index;
  if (target.kind === 'grant') return target.entitlements.some((number) => isHeldAt(reading, number, ms));
  if (target.kind === 'use') {
    const capabilities = await store.subjects.findCapabilities(job.tenant, identityId);
    return capabilities === null ? null : capabilities.includes(target.capability);
  }
  const { ref } = target;
  if (ref.type === 'ENTITLEMENT') return isHeldAt(reading, catalogue.numbers.get(ref.id) ?? -1, ms);
  const assignments = await store.sod.readAssignments(job.tenant, identityId);
  if (assignments === null) return null;
  return assignedAt(assignments.access, ms).some((assigned) => givesAccess(catalogue, assigned, ref));
}

interface RequestQuestion {
  readonly question: AccessQuestion;
  readonly identityId: string;
  readonly reading: SodReading;
  readonly accessRefs: Extract<AccessTarget, { readonly kind: 'request' }>['accessRefs'];
  readonly now: Date;
}

async function decideRequest(
  work: DecisionWork,
  { question: { time: at, fromLevel }, identityId, reading, accessRefs, now }: RequestQuestion,
): Promise<Result<AccessDecision, ApiFailure>> {
  const { jobs } = work.services;
  const contextsMax = contextsFor(fromLevel, reading.exceptions !== null);
  const request = { accessRefs, at, contextsMax };
  const predicted = predictOn(reading, request, now.getTime());
  if (!predicted.ok) return fail(predicted.failure.failure);
  const { prediction, basis, coverage } = predicted.value;
  const verdict = await runInPieces(judgeRequest(prediction, coverage, fromLevel), jobs.pauseOf(work.job));
  if (!verdict.isDenied) return ok(decisionOf(verdict, basis, null));
  if (!validateInstants(reading.timed, { ...request, nowMs: now.getTime() }, REMEDIATION).ok)
    return ok(decisionOf(verdict, basis, null));
  const slot = work.openSlot();
  const acquired = await slot.acquire();
  if (!acquired.ok) return fail(explainingFull(acquired.failure));
  try {
    const remedy = await findRemedy(work, { ...request, identityId, reading, now });
    if (remedy !== null) return ok(decisionOf(verdict, basis, remedy));
    return ok((await decideAnew(work, { ...request, identityId, fromLevel })) ?? decisionOf(verdict, basis, null));
  } finally {
    slot.release();
  }
}

const REMEDIATION = ['remediation'] as const;

/** The remedy on the data of a decision; null where these have changed meanwhile, or accounts of sources take part. */
async function findRemedy(
  { services, job }: DecisionWork,
  { identityId, reading, accessRefs, at, now }: Omit<RequestQuestion, 'question'> & { readonly at: string | null },
): Promise<Remediation | null> {
  const assigned = await services.store.sod.readAssignments(job.tenant, identityId);
  const isSame = assigned?.revision === reading.revision && assigned?.policySetVersion === reading.policySetVersion;
  if (assigned === null || !isSame || assigned.isOfAccounts) return null;
  const access = { assignments: assigned.access, requested: accessRefs };
  const accessStates = accessStatesOf(access, { at, nowMs: now.getTime() });
  return runInPieces(searchRemediation(reading.index, accessStates), services.jobs.pauseOf(job));
}

type RemedyQuestion = Pick<RequestQuestion, 'identityId' | 'accessRefs'> &
  Pick<AccessQuestion, 'fromLevel'> & { readonly at: string | null; readonly contextsMax: number };

/** Decides once more, with the remedy on the data of one moment; null where what explains it is too large. */
async function decideAnew(
  { services, job }: DecisionWork,
  { fromLevel, ...question }: RemedyQuestion,
): Promise<AccessDecision | null> {
  const { reader, store, jobs, system } = services;
  const pause = jobs.pauseOf(job);
  const read = await readPrediction(
    { reader, sod: store.sod, reservations: store.reservations, now: () => system.now().getTime() },
    { ...question, tenant: job.tenant, includes: REMEDIATION },
    pause,
  );
  if (!read.ok) return null;
  const { found, basis, coverage, remediation } = read.value;
  const verdict = await runInPieces(judgeRequest(found, coverage, fromLevel), pause);
  return decisionOf(verdict, basis, verdict.isDenied ? remediation : null);
}
