import type { RESERVATIONS } from '@access-admin/contract';
import {
  fail,
  isAcceptable,
  LIVE_RESERVATIONS_MAX,
  LIVE_RESERVATIONS_OF_IDENTITY_MAX,
  makeReservation,
  type NewSodReservation,
  ok,
  type ReservationPrediction,
  type Result,
  reservedPredictionJson,
  type SodReservation,
} from '@access-admin/domain';
import { type NotReserved, readPrediction, StorageUnavailable } from '@access-admin/store';
import type { RequestContext } from '../../env.ts';
import type { Answer } from '../../http/answer.ts';
import { auditContext } from '../../http/audit-context.ts';
import type { ApiFailure } from '../../http/problem.ts';
import type { Input } from '../../operations/route.ts';
import type { Services } from '../../services.ts';
import { backlogFull } from '../answers/backlog-full.ts';
import { withEtag } from '../answers/resource.ts';
import { beginLongWork, explainingFull, type LongWork } from '../predictions/long-answer.ts';

/** Predicts and reserves. Requests for one identity come one after the other, as each counts in the next. */
export function reserve(c: RequestContext, { caller, body }: Input<typeof RESERVATIONS.create>): Promise<Answer> {
  const { reservationTurns } = c.env.services;
  return reservationTurns(`${caller.tenant} ${body.identityId}`, async () => {
    const reserved = await reserveUntilCurrent(c, beginLongWork(c), body);
    if (!reserved.ok) return reserved;
    return withEtag(c, reserved.value, { status: 201, location: `/sod-reservations/v1/${reserved.value.id}` });
  });
}

const TRIES_MAX = 300;

/** Predicts anew wherever another process has changed the data of the prediction before it was stored. */
async function reserveUntilCurrent(
  c: RequestContext,
  work: LongWork,
  requested: NewSodReservation,
): Promise<Result<SodReservation, ApiFailure>> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const reserved = await reserveOnce(c, work, requested);
    if (reserved !== null) return reserved;
  }
  throw new StorageUnavailable(
    'The access of an identity, or what is reserved for it, changed whenever it was predicted.',
  );
}

/** Null where the data have changed meanwhile. */
async function reserveOnce(
  c: RequestContext,
  work: LongWork,
  requested: NewSodReservation,
): Promise<Result<SodReservation, ApiFailure> | null> {
  const { store, system } = c.env.services;
  const acquired = await work.slot.acquire();
  if (!acquired.ok) return fail(explainingFull(acquired.failure));
  const predicted = await predictFor(c.env.services, work, requested).finally(() => work.slot.release());
  if (!predicted.ok) return predicted;
  const { prediction, violationCount, isClean, version, pending } = predicted.value;
  if (pending.length >= LIVE_RESERVATIONS_OF_IDENTITY_MAX) return FULL.identityFull;
  if (requested.onConflict === 'REFUSE' && !isClean)
    return fail({ type: 'WouldConflict', causes: causesOf(violationCount), prediction });
  const audit = auditContext(c, new Date(prediction.asOf));
  const { clientId, identityId: requesterId } = audit.actor;
  const maker = { id: system.newId(), clientId, requesterId, now: audit.time };
  const reservation = makeReservation(requested, maker, prediction);
  const created = await store.reservations.create(audit, { reservation, version, pending });
  if (created.ok) return ok(reservation);
  return created.failure === 'changed' ? null : FULL[created.failure];
}

/** Predicts what the access would cause, with what is reserved, and presents it as a reservation keeps it. */
async function predictFor(
  { reader, store, jobs, system }: Services,
  { job }: LongWork,
  { identityId, accessRefs }: NewSodReservation,
) {
  const pause = jobs.pauseOf(job);
  const predicted = await readPrediction(
    { reader, sod: store.sod, reservations: store.reservations, now: () => system.now().getTime() },
    { tenant: job.tenant, identityId, accessRefs, includes: [], countsPending: true },
    pause,
  );
  if (!predicted.ok) {
    if (predicted.failure === 'tooLarge') throw new Error('A prediction without paths needs no bundles.');
    return fail(predicted.failure.failure);
  }
  const { found, version, pending, ...parts } = predicted.value;
  let json = '';
  for (const piece of reservedPredictionJson(found, parts)) {
    json += piece;
    await pause();
  }
  const prediction: ReservationPrediction = JSON.parse(json);
  const isClean = isAcceptable(found, parts.coverage);
  return ok({ prediction, violationCount: found.violations.length, isClean, version, pending });
}

const causesOf = (count: number) => [
  {
    at: 'accessRefs',
    text: `would cause ${count === 1 ? 'a violation' : `${count} violations`}: see prediction, or send onConflict "RESERVE"`,
  },
];

const FULL: Readonly<Record<Exclude<NotReserved, 'changed'>, ReturnType<typeof backlogFull>>> = {
  identityFull: backlogFull(
    `The identity has ${LIVE_RESERVATIONS_OF_IDENTITY_MAX} live reservations: settle or release some of them.`,
  ),
  tenantFull: backlogFull(`The tenant has ${LIVE_RESERVATIONS_MAX} live reservations: settle or release some of them.`),
};
