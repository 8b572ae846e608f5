import { APPROVING_CAPABILITIES } from '@access-admin/domain';
import { sql, type Transaction } from 'kysely';
import { parseCapabilities } from '../access/records/identity-codec.ts';
import type { Database } from '../engine/database.ts';
import { createLeases } from '../queue/leases.ts';
import { createLeasedQueue } from '../queue/queue.ts';
import { appendMails, MAIL_KINDS, type NewMail } from '../record/mail/append.ts';
import type { Tables } from '../schema/tables.ts';
import { rowToClaim, rowToLost, rowToRecipient } from './codec.ts';
import type { MailClaim, MailStore } from './mail.ts';

const EXPIRED_AT_ONCE = 200;

export function createMailStore(database: Database): MailStore {
  const queue = createLeasedQueue(database, {
    name: 'mail',
    id: 'id',
    pending: (nowMs) =>
      sql<boolean>`(mail.due_ms <= ${nowMs} and mail.expires_ms > ${nowMs} and mail.kind in (${sql.join(MAIL_KINDS)}))`,
    sharedPerAlone: null,
    order: 'due_ms, id',
    arisesFrom: ['any'],
  });
  return {
    ...createLeases(queue, { toClaim: rowToClaim, keyOf: (claim) => claim }),
    end: (claim) => database.write({ tenant: claim.tenant, changes: 'mail' }, (trx) => endIn(trx, claim)),
    postpone: (claim, dueMs) =>
      database.write({ tenant: claim.tenant, changes: 'mail' }, async (trx) => {
        await trx
          .updateTable('mail')
          .set({ due_ms: dueMs, failures: claim.failures + 1, claimable_at_ms: 0, fence: claim.fence + 1 })
          .where(isHeldBy(claim))
          .execute();
      }),
    spread: (claim, time, mails) =>
      database.write({ tenant: claim.tenant, changes: 'mail' }, async (trx) => {
        if (!(await queue.hold(trx, claim))) return;
        await appendMails(trx, { tenant: claim.tenant, time }, mails);
        await endIn(trx, claim);
      }),
    findApprovers: async (tenant) => {
      const rows = await database.read((db) =>
        db
          .selectFrom('identity')
          .select(['id', 'capabilities'])
          .where('tenant', '=', tenant)
          .where('active', '=', 1)
          // A literal, because partial indexes do not match parameters.
          .where(sql<boolean>`capabilities <> '[]'`)
          .execute(),
      );
      return rows
        .filter(({ capabilities }) => {
          const own = parseCapabilities(capabilities);
          return APPROVING_CAPABILITIES.some((capability) => own.includes(capability));
        })
        .map(({ id }) => id);
    },
    countByOwner: async (tenant) => {
      const { rows } = await database.read((db) =>
        sql<{ readonly owner_id: string; readonly level_rank: number; readonly count: number }>`
          select owner_id, level_rank, count(*) as count from sod_violation
          where tenant = ${tenant} and status = 'Open' and owner_id is not null
          group by owner_id, level_rank`.execute(db),
      );
      return rows.map((row) => ({ ownerId: row.owner_id, levelRank: row.level_rank, count: Number(row.count) }));
    },
    addOfPeriod: async (tenant, { now, until, week, weekEndMs }) => {
      const { rows } = await database.read((db) =>
        sql<{ readonly id: string; readonly requester_id: string; readonly ends: string }>`
          select id, requester_id, ends from sod_exception
          where tenant = ${tenant} and revoked is null and voided is null and approved is not null
            and ends > ${now} and ends <= ${until} and not exists (
              select 1 from mail where mail.tenant = ${tenant} and mail.id = 'ending-' || sod_exception.id
            )`.execute(db),
      );
      const ending = rows.map(
        ({ id, requester_id, ends }): NewMail => ({
          id: `ending-${id}`,
          kind: 'exception-ending',
          recipientId: requester_id,
          data: { exceptionId: id },
          expiresMs: Date.parse(ends),
        }),
      );
      const isThere = await database.read((db) =>
        db.selectFrom('mail').select('id').where('tenant', '=', tenant).where('id', '=', week).executeTakeFirst(),
      );
      const weekly: NewMail = {
        id: week,
        kind: 'violations-weekly',
        recipientId: null,
        data: {},
        expiresMs: weekEndMs,
      };
      const mails = isThere === undefined ? [...ending, weekly] : ending;
      if (mails.length > 0)
        await database.write({ tenant, changes: 'mail' }, (trx) => appendMails(trx, { tenant, time: now }, mails));
    },
    findRecipient: async (tenant, id) => {
      const row = await database.read((db) =>
        db
          .selectFrom('identity')
          .select(['id', 'display_name', 'email', 'attributes'])
          .where('tenant', '=', tenant)
          .where('id', '=', id)
          .where('active', '=', 1)
          .executeTakeFirst(),
      );
      return row === undefined ? null : rowToRecipient(row);
    },
    removeExpired: async (endedByMs) => {
      const rows = await database.read((db) =>
        db
          .selectFrom('mail')
          .select(['tenant', 'id'])
          .where('expires_ms', '<=', endedByMs)
          .limit(EXPIRED_AT_ONCE)
          .execute(),
      );
      const removed = await Promise.all(
        [...Map.groupBy(rows, ({ tenant }) => tenant)].map(([tenant, own]) => {
          const ids = own.map(({ id }) => id);
          return database.write({ tenant, changes: 'mail', isSweep: true }, (trx) =>
            trx
              .deleteFrom('mail')
              .where('tenant', '=', tenant)
              .where('id', 'in', ids)
              .returning(['tenant', 'id', 'kind', 'recipient_id', 'due_ms'])
              .execute(),
          );
        }),
      );
      const lost = removed.flat().filter(({ due_ms }) => due_ms !== null);
      return { lost: lost.map(rowToLost), isMore: rows.length === EXPIRED_AT_ONCE };
    },
  };
}

async function endIn(trx: Transaction<Tables>, claim: MailClaim): Promise<void> {
  await trx.deleteFrom('mail').where(isHeldBy(claim)).where('is_of_period', '=', 0).execute();
  await trx.updateTable('mail').set({ due_ms: null }).where(isHeldBy(claim)).execute();
}

const isHeldBy = ({ tenant, id, fence }: MailClaim) =>
  sql<boolean>`tenant = ${tenant} and id = ${id} and fence = ${fence}`;
