import { join } from 'node:path';
import { freePort, ROOT, startProcess } from '@access-admin/harness';
import { openConnections } from '../load/http-connection.ts';
import type { StartedServer } from './natural-stack.ts';
import type { ServedWorld } from './served-world.ts';

/** Starts one more API process on the database of a served world, from its sources; without guards it checks no token, writes no log and counts nothing. */
export async function startApiFromSources(
  { service }: ServedWorld,
  { guards }: { readonly guards: boolean },
): Promise<StartedServer> {
  const port = await freePort();
  const hooks = guards ? [] : ['--import', new URL('take-off-guards.ts', import.meta.url).href];
  const main = join(ROOT, 'apps/api/src/main.ts');
  const running = startProcess([process.execPath, '--conditions=@access-admin/source', ...hooks, main], {
    cwd: service.folder,
    env: {
      DATABASE_URL: `sqlite:${join(service.folder, 'access-admin.db')}`,
      BOOTSTRAP_CLIENT_ID: service.credentials.clientId,
      PORT: String(port),
      RATE_LIMIT: 'off',
      LOG_LEVEL: guards ? 'info' : 'silent',
    },
  });
  await assertGuards(port, guards);
  return { port, running };
}

async function assertGuards(port: number, guards: boolean): Promise<void> {
  // It listens once this resolves.
  for (const connection of await openConnections(port, 1)) connection.close();
  const address = `http://127.0.0.1:${port}`;
  const headers = { authorization: 'Bearer none', 'content-type': 'application/json' };
  const url = `${address}/sod-violations/v1/predict`;
  const { status } = await fetch(url, { method: 'POST', headers, body: '{}' });
  const metrics = await (await fetch(`${address}/metrics`)).text();
  if ((status === 401) !== guards || (metrics !== '') !== guards)
    throw new Error(`the guards are not ${guards ? 'on' : 'off'}`);
}
