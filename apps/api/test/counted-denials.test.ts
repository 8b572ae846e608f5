import type { AuditEvent } from '@access-admin/domain';
import { createEngineDatabase } from '@access-admin/harness';
import { openStore } from '@access-admin/store';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DENIALS_RECORDED_MAX } from '../src/audit/denial-log.ts';
import { verifyAuditExport } from '../src/audit/verify-export.ts';
import { runApi } from './run-api.ts';
import { openTestApi, type TestApi, WORLD } from './test-api.ts';

const EVENTS = '/audit-events/v1';
const ROOT = { id: 'root', secret: 'root secret%' };

const denialsOf = async ({ call }: TestApi): Promise<readonly AuditEvent[]> =>
  (await call('GET', `${EVENTS}?filters=${encodeURIComponent('outcome eq "DENIED"')}`)).json;

const countsOf = (events: readonly AuditEvent[]) => events.map(({ count }) => count ?? null);

async function* piecesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/** An API with an identity that has no capability. */
async function openWithClerk() {
  const api = await openTestApi();
  await api.importRecords(WORLD);
  const token = await api.clientToken({ identityId: 'i-cleo' });
  const refuse = async (path: string) => {
    const { status } = await api.call('GET', path, { token });
    expect(status).toBe(403);
  };
  return { api, refuse };
}

const TEN = Array.from({ length: DENIALS_RECORDED_MAX }, () => null);

describe('repeated denials', () => {
  test('beyond ten are one event with their count at the end of the minute', async () => {
    const { api, refuse } = await openWithClerk();
    for (let call = 0; call < 300; call += 1) await refuse('/auth-users/v1/i-ada');
    const [first, ...others] = await denialsOf(api);
    expect(countsOf(others)).toEqual(TEN.slice(1));
    await api.endMinute();
    const recorded = await denialsOf(api);
    expect(countsOf(recorded)).toEqual([...TEN, 290]);
    expect(recorded.at(-1)).toMatchObject({
      actor: first?.actor,
      operation: first?.operation,
      resource: first?.resource,
      changes: [],
    });
    await refuse('/auth-users/v1/i-ada');
    expect(countsOf(await denialsOf(api))).toEqual([...TEN, 290, null]);
    const { text } = await api.call('GET', `${EVENTS}/export`);
    const verified = await verifyAuditExport(piecesOf(text), null);
    expect(verified).toMatchObject({ fault: null });
  });

  test('of many resources do not fill the log', async () => {
    const { api, refuse } = await openWithClerk();
    for (let id = 0; id < 500; id += 1) await refuse(`/auth-users/v1/i-${id}`);
    await api.endMinute();
    const recorded = await denialsOf(api);
    expect(countsOf(recorded)).toEqual([...TEN, 490]);
    expect(recorded.at(-1)?.resource).toEqual({ type: 'AUTH_USER', id: null });
  });
});

/** Of the answers of the token endpoint and of a new client. */
type Answered = Readonly<Record<'access_token' | 'id' | 'secret', string>>;

test('counts are recorded when the service stops', async () => {
  const { url, remove } = await createEngineDatabase('sqlite', async (database) => (await openStore(database)).close());
  onTestFinished(remove);
  const api = await runApi({ DATABASE_URL: url, BOOTSTRAP_CLIENT_ID: ROOT.id, BOOTSTRAP_CLIENT_SECRET: ROOT.secret });
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const request = async (path: string, init: RequestInit): Promise<Answered> =>
    (await (await fetch(`${api.baseAddress}${path}`, init)).json()) as Answered;
  const tokenOf = async (id: string, secret: string): Promise<string> => {
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret });
    return (await request('/oauth/token', { method: 'POST', headers: form, body })).access_token;
  };
  const root = { authorization: `Bearer ${await tokenOf(ROOT.id, ROOT.secret)}` };
  const client = await request('/oauth-clients/v1', {
    method: 'POST',
    headers: { ...root, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'reader', scopes: ['ui-metadata:read'] }),
  });
  const reader = { authorization: `Bearer ${await tokenOf(client.id, client.secret)}` };
  for (let call = 0; call < 20; call += 1)
    expect(await request('/auth-users/v1/i-1', { headers: reader })).toMatchObject({ detailCode: '403' });
  expect((await api.stop()).code).toBe(0);
  const store = await openStore(url);
  onTestFinished(store.close);
  const events: AuditEvent[] = [];
  for await (const event of store.audit.export('default')) events.push(event);
  expect(countsOf(events.filter(({ outcome }) => outcome === 'DENIED'))).toEqual([...TEN, 10]);
});
