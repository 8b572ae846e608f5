import { createSemaphore } from '@access-admin/scheduling';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import type { Env, RequestState } from '../../http/env.ts';
import { streamEvents } from './stream.ts';

const KIB = 1024;
const NEVER = new AbortController().signal;

test('a reader that takes nothing holds the memory of its tenant, and none of others', async () => {
  // One page of a tenant and one of another.
  const bytes = createSemaphore({
    capacity: 640 * KIB,
    waitingMax: 10,
    waitMsMax: 60_000,
    elapsed: () => performance.now(),
  });
  const app = new Hono<Env>();
  app.get('/:tenant', (c) => {
    c.set('state', { trackingId: 'x' } as RequestState);
    const reader = {
      tenant: c.req.param('tenant'),
      source: 'http://x',
      after: 0,
      known: 1,
      visibleTypes: async () => ['sod.policy.created'] as const,
      onEnd: () => {},
    };
    return new Response(
      streamEvents(c, reader, {
        readText: async () => ({
          text: Buffer.from(`data: ${'x'.repeat(300 * KIB)}\n\n`),
          through: 1,
          last: 1,
          isGone: false,
        }),
        awaitEvents: () => new Promise(() => {}),
        bytes,
        elapsed: () => performance.now(),
        stopping: NEVER,
        onError: () => null,
      }),
    );
  });
  const open = async (tenant: string) => {
    const { body } = await app.request(`/${tenant}`);
    const reader = body?.getReader();
    const decoder = new TextDecoder();
    return async () => {
      for (let text = ''; ; ) {
        const piece = await reader?.read();
        text += decoder.decode(piece?.value, { stream: true });
        if (text.includes('\n\ndata: ')) return text.length;
      }
    };
  };
  const takeFirst = await open('a');
  await expect.poll(() => bytes.usage().held).toBeGreaterThan(300 * KIB);
  const takeSecond = await open('a');
  await expect.poll(() => bytes.usage().waiting).toBe(1);
  const takeOther = await open('b');
  expect(await takeOther()).toBeGreaterThan(300 * KIB);
  expect(bytes.usage().waiting).toBe(1);
  expect(await takeFirst()).toBeGreaterThan(300 * KIB);
  expect(await takeSecond()).toBeGreaterThan(300 * KIB);
  await expect.poll(() => bytes.usage()).toEqual({ held: 0, waiting: 0, tenants: 0 });
});
