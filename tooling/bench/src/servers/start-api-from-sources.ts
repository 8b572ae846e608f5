import { join } from 'node:path';
import { freePort, ROOT, startProcess } from '@access-admin/harness';
import { openConnections } from '../load/http-connection.ts';
import { RATE_LIMIT } from './open-measured-service.ts';
import type { ServedWorld } from './served-world.ts';
import type { StartedServer } from './started-server.ts';

/** Starts one more API process on the database of a served world, from its TypeScript sources instead of its bundle. */
export async function startApiFromSources({ service }: ServedWorld): Promise<StartedServer> {
  const port = await freePort();
  const main = join(ROOT, 'apps/api/src/main.ts');
  const options = ['--max-semi-space-size=64', '--conditions=@access-admin/source'];
  const running = startProcess([process.execPath, ...options, main], {
    cwd: service.folder,
    env: { DATABASE_URL: service.databaseUrl, PORT: String(port), RATE_LIMIT },
    outputPath: join(service.folder, 'sources.log'),
  });
  // Resolves once the process listens.
  for (const connection of await openConnections(port, 1)) connection.close();
  return { port, running };
}
