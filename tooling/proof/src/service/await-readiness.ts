import { createClient } from '@access-admin/client';
import { waitUntil } from '../campaign/wait-until.ts';

/** Polls every API until it has the expected readiness; resolves with the names of late ones. */
export async function awaitReadiness(
  apis: readonly { readonly name: string; readonly baseAddress: string }[],
  expected: boolean,
  msMax: number,
): Promise<readonly string[]> {
  const late = await Promise.all(
    apis.map(async ({ name, baseAddress }) => {
      const { health } = createClient({ baseAddress, token: 'none' });
      const isExpected = async () => (await health.ready({ timeoutMs: msMax })) === expected;
      return (await waitUntil(isExpected, { msMax, everyMs: 20 })) ? [] : [name];
    }),
  );
  return late.flat();
}
