import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ROOT } from '@access-admin/harness';
import { expect, onTestFinished, test } from 'vitest';

const { fetchToken } = await import(join(ROOT, 'tooling/bootstrap/bootstrap-client.mjs'));
const client = { clientId: 'c', clientSecret: 's' };

/** A service that gives these answers one after the other, and the last one again. */
async function openService(statuses: readonly number[]) {
  let count = 0;
  const server = createServer((_, response) => {
    const status = statuses[Math.min(count++, statuses.length - 1)] ?? 500;
    response.writeHead(status).end(status === 200 ? '{"access_token":"t"}' : '{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { addresses: { reachable: '127.0.0.1', port, publicHost: `127.0.0.1:${port}` }, asked: () => count };
}

const noPause = () => Promise.resolve();

test('a token is asked for again while the service is busy', async () => {
  const { addresses, asked } = await openService([503, 429, 503, 200]);
  expect([await fetchToken(addresses, client, noPause), asked()]).toEqual(['t', 4]);
});

test('an unknown client is not asked for again, nor a service that stays busy for ever', async () => {
  const unknown = await openService([401]);
  expect([await fetchToken(unknown.addresses, client, noPause), unknown.asked()]).toEqual([null, 1]);
  const busy = await openService([503]);
  await expect(fetchToken(busy.addresses, client, noPause)).rejects.toThrow('answered 503');
  expect(busy.asked()).toBe(40);
});
