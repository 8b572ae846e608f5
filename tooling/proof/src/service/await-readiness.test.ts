import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { awaitReadiness } from './await-readiness.ts';

/** An API that is ready after its first few answers. */
async function openApi(name: string, unready: number) {
  let asked = 0;
  const server = createServer((_, response) => response.writeHead(++asked > unready ? 200 : 503).end());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { name, baseAddress: `http://127.0.0.1:${port}`, [Symbol.dispose]: close };
}

test('returns the APIs that do not reach the expected state in time', async () => {
  using soon = await openApi('soon', 3);
  using never = await openApi('never', Number.POSITIVE_INFINITY);
  expect(await awaitReadiness([soon, never], true, 1_000)).toEqual(['never']);
  expect(await awaitReadiness([soon, never], false, 200)).toEqual(['soon']);
});
