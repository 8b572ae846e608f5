import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { type AuditEvent, createSessionClient, type SignedAuditHead } from '@access-admin/client';
import { expect, test } from 'vitest';
import { parseHead, type Verification, verifyLog } from './verification.ts';

const LENGTH = 300;

/** Properties in the order of their names: as they are written they are canonical. */
function logOf(length: number): readonly AuditEvent[] {
  const events: AuditEvent[] = [];
  for (let sequence = 1; sequence <= length; sequence++) {
    const event = {
      actor: { clientId: 'c', identityId: null },
      changes: [{ after: sequence, before: null, field: 'name' }],
      operation: 'patch-sod-policy-v1',
      outcome: 'ALLOWED',
      previousHash: events.at(-1)?.hash ?? null,
      resource: { id: 'p', type: 'SOD_POLICY' },
      sequence,
      tenant: 'acme',
      time: '2026-11-21T09:30:00.000Z',
      trackingId: '0',
    } as const;
    events.push({ ...event, hash: createHash('sha256').update(JSON.stringify(event)).digest('hex') });
  }
  return events;
}

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const jwks = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k' }] };

function headOf(log: readonly AuditEvent[]): SignedAuditHead {
  const { sequence = 0, hash = null } = log.at(-1) ?? {};
  const parts = [
    { alg: 'ES256', typ: 'audit-head+json', kid: 'k' },
    { tenant: 'acme', sequence, hash },
  ];
  const content = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  const signature = sign('sha256', Buffer.from(content), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return {
    sequence,
    hash,
    firstSequence: 1,
    previousHash: null,
    signature: `${content}.${signature.toString('base64url')}`,
  };
}

const LOG = logOf(LENGTH);

interface Shown {
  readonly log: readonly AuditEvent[];
  readonly head?: SignedAuditHead;
  readonly kept?: SignedAuditHead;
  /** Called with each verification that is told. */
  readonly onChange?: (told: Verification, stop: () => void) => void;
}

async function verify({ log, head = headOf(LOG), kept, onChange }: Shown): Promise<readonly Verification[]> {
  const stop = new AbortController();
  const api = createSessionClient({
    baseAddress: 'http://service.invalid',
    retries: 0,
    fetch: async (url) => {
      const { pathname } = new URL(url);
      if (pathname === '/.well-known/jwks.json') return Response.json(jwks);
      if (pathname === '/audit-events/v1/head') return Response.json(head);
      return new Response(log.map((event) => `${JSON.stringify(event)}\n`).join(''));
    },
  });
  const told: Verification[] = [];
  let clock = 0;
  await verifyLog(api, {
    kept: kept ?? null,
    signal: stop.signal,
    onChange: (verification) => {
      told.push(verification);
      onChange?.(verification, () => stop.abort());
    },
    now: () => (clock += 1_000),
  });
  return told;
}

test('a log that was recorded so holds to its signed end, and tells how far it is', async () => {
  const told = await verify({ log: LOG });
  expect(told.at(-1)).toMatchObject({ state: 'done', result: { sequence: LENGTH, fault: null } });
  expect(told.filter(({ state }) => state === 'running').length).toBeGreaterThan(3);
});

test('a log that was changed is found, with its first changed entry', async () => {
  const at = 200;
  const entry = LOG[199];
  if (entry === undefined) throw new Error('the log is too short');
  const changed = { ...entry, outcome: 'DENIED' as const };
  const told = await verify({ log: LOG.with(at - 1, changed) });
  const fault = { sequence: at, reason: 'changed', event: changed };
  expect(told.at(-1)).toMatchObject({ state: 'done', result: { sequence: at - 1, fault } });
});

test('a log that was written anew does not go with the end that was kept', async () => {
  const first = LOG[0];
  if (first === undefined) throw new Error('the log is too short');
  const anew = LOG.slice(0, 100);
  const kept = headOf([...anew.slice(0, 49), { ...first, sequence: 50 }]);
  expect((await verify({ log: anew, head: headOf(anew), kept })).at(-1)).toMatchObject({
    result: { fault: { sequence: 50, reason: 'another head' } },
  });
  expect((await verify({ log: anew, head: headOf(anew), kept: headOf(LOG) })).at(-1)).toMatchObject({
    result: { fault: { sequence: 101, reason: 'cut off' } },
  });
});

test('an end that the service has not signed is an error', async () => {
  const told = await verify({ log: LOG, kept: { ...headOf(LOG), sequence: 7 } });
  expect(told.at(-1)).toMatchObject({ state: 'failed', error: { reason: 'another head' } });
});

test('a verification that is stopped says how far it came', async () => {
  const onChange: Shown['onChange'] = (told, stop) => told.state === 'running' && told.verified > 100 && stop();
  const last = (await verify({ log: LOG, onChange })).at(-1);
  expect(last).toMatchObject({ state: 'stopped', total: LENGTH });
  expect(last?.state === 'stopped' && last.verified).toBeLessThan(LENGTH + 1);
});

test('an end is read from a file', () => {
  const head = headOf(LOG);
  expect(parseHead(JSON.stringify({ ...head, more: 1 }))).toEqual(head);
  for (const text of ['', '[]', 'null', '{"sequence":1}', JSON.stringify({ ...head, sequence: '1' })])
    expect(parseHead(text)).toBeNull();
});
