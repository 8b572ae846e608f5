import { hash, randomBytes, randomUUID } from 'node:crypto';
import type { TestApi } from './test-api.ts';

const MINUTE_MS = 60_000;

/** Begins a session of an identity in the store, as signing in does; returns its id, its token and its cookie. */
export async function openSession(
  { store, clock }: Pick<TestApi, 'store' | 'clock'>,
  identityId: string,
  { tenant = 'default', isFramed = false }: { readonly tenant?: string; readonly isFramed?: boolean } = {},
) {
  const token = randomBytes(32).toString('base64url');
  const id = randomUUID();
  const nowMs = clock.nowMs;
  const actor = { clientId: 'address:192.0.2.1', identityId: null };
  const time = new Date(nowMs).toISOString();
  await store.sessions.create(
    { tenant, actor, operation: 'sign-in', time, trackingId: '0' },
    {
      id,
      hash: hash('sha256', token),
      identityId,
      factors: ['PASSWORD'],
      isFramed,
      address: '192.0.2.1',
      createdMs: nowMs,
      expiresMs: nowMs + 480 * MINUTE_MS,
      idleExpiresMs: nowMs + 15 * MINUTE_MS,
    },
  );
  return { id, token, cookie: `session=${token}` };
}
