import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { AccessAdminClient } from '@access-admin/client';
import { type AuditHead, findChainBreak } from '@access-admin/domain';
import { summed } from '../campaign/campaign.ts';
import { drawOne } from '../campaign/random.ts';
import type { Sql } from '../service/open-database.ts';
import type { CheckLedger } from './check-ledger.ts';
import { changingPolicy, readNumbers } from './company.ts';
import { type Customers, isRefusal, readCheck } from './customers.ts';

/** Longest time that an accepted check may take, even if processes are killed. */
export const RESULT_MS_MAX = 60_000;
const READERS = 16;

interface AuditTools {
  readonly clients: readonly AccessAdminClient[];
  readonly sql: Sql;
  readonly signal: AbortSignal;
  /** Whether timestamps in the database are meaningless because clocks jumped. */
  readonly clocksJump: boolean;
}

/** Waits for missing results, reads everything again through every API, and compares it with the answers that clients received. */
export async function audit(customers: Customers, { clients, sql, signal, clocksJump }: AuditTools) {
  const client = drawOne(() => 0, clients);
  const { ledger } = customers;
  await awaitResults(ledger, client, signal);
  const missing = ledger.open();
  for (const reader of clients)
    await eachOf(
      [...ledger.acknowledged.keys()],
      signal,
      async (id) => void ledger.observe(id, await readCheck(reader, id)),
    );
  const [counts] = await sql.run(
    'select count(*) as total, count(completed) as done, count(result) as results, sum(case when attempts > 1 then 1 else 0 end) as again from sod_check',
  );
  const { total, done, results, again } = Object(counts);
  const unfinished = Number(total) - Math.min(Number(done), Number(results));
  const late = clocksJump ? [] : await findLate(sql);
  const writes = await auditWrites(customers, client);
  const log = await auditLog(customers, client);
  const refusals = customers.failures.filter(isRefusal).map(({ message }) => message);
  const broken = [
    ...summed('calls refused', refusals),
    ...summed('wrong answers', ledger.faults),
    ...summed('checks without a result in 60 s', [...missing, ...late]),
    ...(unfinished > 0 ? [`${unfinished} of ${total} checks in the database have no result`] : []),
    ...summed('acknowledged writes lost', writes),
    ...log,
  ];
  return {
    lost: ledger.missing.size + writes.length,
    withoutResult: missing.length + late.length,
    changed: ledger.changed.size,
    rows: Number(total),
    takenOver: Number(again),
    broken,
  };
}

async function awaitResults(ledger: CheckLedger, client: AccessAdminClient, signal: AbortSignal): Promise<void> {
  const endMs = performance.now() + RESULT_MS_MAX;
  await eachOf(ledger.open(), signal, async (requestId) => {
    for (let isDone = false; !isDone && performance.now() < endMs && !signal.aborted; ) {
      const check = await readCheck(client, requestId, 10);
      isDone = ledger.observe(requestId, check) || check === null;
    }
  });
}

/** Checks that completed too late, by the clock of the services. */
async function findLate(sql: Sql): Promise<readonly string[]> {
  const rows = await sql.run('select request_id, created, completed from sod_check where completed is not null');
  return rows
    .filter(({ created, completed }) => Date.parse(String(completed)) - Date.parse(String(created)) > RESULT_MS_MAX)
    .map((row) => String(row['request_id']));
}

async function auditWrites(customers: Customers, client: AccessAdminClient): Promise<readonly string[]> {
  const held = readNumbers(await Array.fromAsync(client.accessModel.export()));
  const clientIds = new Set((await Array.fromAsync(client.oauthClients.list())).map(({ id }) => id));
  const { policySetVersion } = await client.accessModel.import([changingPolicy('p-last', 1)]);
  const { countedWrites, registered, versions } = customers;
  const latest = Math.max(0, ...versions);
  return [
    ...countedWrites.flatMap((register) => register.verify(held.get(register.name) ?? null) ?? []),
    ...registered.filter((id) => !clientIds.has(id)).map((id) => `the client ${id} is missing`),
    ...(policySetVersion > latest ? [] : [`the policy set went back from ${latest} to ${policySetVersion}`]),
    ...(new Set(versions).size === versions.length ? [] : ['two imports were answered with one version']),
  ];
}

/** The audit log is an unbroken chain with an event for each acknowledged write. */
async function auditLog(
  { countedWrites, registered }: Customers,
  client: AccessAdminClient,
): Promise<readonly string[]> {
  const acknowledged = countedWrites.reduce((sum, { answered }) => sum + answered, registered.length);
  const { sequence, fault } = await readAuditChain(client);
  if (fault !== null) return [fault];
  return sequence >= acknowledged ? [] : [`${sequence} events of ${acknowledged} acknowledged writes`];
}

/** The last sequence of the audit log, and where its chain is broken; null for nowhere. */
export async function readAuditChain(
  client: AccessAdminClient,
): Promise<{ readonly sequence: number; readonly fault: string | null }> {
  let head: AuditHead = { sequence: 0, hash: null };
  for await (const event of client.auditEvents.export()) {
    const { sequence } = head;
    const fault = findChainBreak({ ...event }, head, sha256);
    if (fault !== null) return { sequence, fault: `event ${sequence + 1} of the audit log: ${fault}` };
    head = event;
  }
  return { sequence: head.sequence, fault: null };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Handles a few items at a time. */
const eachOf = <T>(items: readonly T[], signal: AbortSignal, act: (item: T) => Promise<void>): Promise<void> =>
  Readable.from(items).forEach(act, { concurrency: READERS, signal });
