import { type ExceptionDates, isLive, type SodExceptionState } from '@access-admin/domain';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../../schema/tables.ts';

/** The exceptions that are neither revoked nor stored as void. */
export const selectOpen = (db: Kysely<Tables>, tenant: string) =>
  db
    .selectFrom('sod_exception')
    .where('sod_exception.tenant', '=', tenant)
    .where('sod_exception.revoked', 'is', null)
    .where('sod_exception.voided', 'is', null);

/** `exceptionStateAt` of the domain in SQL, with what is void though that is not stored. */
export const stateAt = (now: string, isVoid: RawBuilder<boolean>) => sql<SodExceptionState>`case
  when revoked is not null then 'REVOKED'
  when voided < ends then 'VOID'
  when voided is not null then 'EXPIRED'
  when ends <= ${now} then 'EXPIRED'
  when ${isVoid} then 'VOID'
  when approved is null then 'REQUESTED'
  else 'APPROVED' end`;

/** An exception as it is shown: a live one that the present data make void is void since now. */
export const seenAs = <E extends ExceptionDates & { readonly id: string }>(
  exception: E,
  voidIds: ReadonlySet<string>,
  now: string,
): E => (voidIds.has(exception.id) && isLive(exception, now) ? { ...exception, voided: now } : exception);
