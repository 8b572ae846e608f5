import { expect } from 'vitest';
import type { TestApi } from '../test-api.ts';

const EXPERIMENTAL = { 'x-service-experimental': 'true' };

interface RefusedPatch {
  readonly body: unknown;
  /** The token of the caller; the bootstrap client's if left out. */
  readonly token?: string;
}

/** Sends a patch that must be refused. Returns its status and detail code; fails if anything was written. */
export async function refusedPatch({ call }: TestApi, path: string, patch: RefusedPatch) {
  const before = await call('GET', path, { headers: EXPERIMENTAL });
  const answer = await call('PATCH', path, { headers: EXPERIMENTAL, ...patch });
  const after = await call('GET', path, { headers: EXPERIMENTAL });
  expect(before.status).toBe(200);
  expect([after.text, after.headers.get('etag')]).toEqual([before.text, before.headers.get('etag')]);
  return [answer.status, answer.json.detailCode];
}
