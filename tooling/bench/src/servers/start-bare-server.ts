import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { freePort, startProcess } from '@access-admin/harness';
import type { StartedServer } from './started-server.ts';

/** Starts the bare Hono application. */
export async function startBareServer(answer: string): Promise<StartedServer> {
  const port = await freePort();
  const program = fileURLToPath(new URL('bare-server.ts', import.meta.url));
  return { port, running: startProcess([process.execPath, program, answer, String(port)], { env: {}, cwd: tmpdir() }) };
}
