import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { TestProject } from 'vitest/node';
import { openFolder } from '../machine/open-folder.ts';
import { endOfLog } from '../postgres/coordinator-log.ts';
import { removeTemplateOnCitus } from '../postgres/create-on-citus.ts';
import { openTestServer } from '../postgres/open-test-server.ts';

/** Offers one PostgreSQL server, started on the first request, and a folder to all workers of a vitest run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  let server: ReturnType<typeof openTestServer> | null = null;
  // The response holds a superuser's password: other users of this machine must not guess the path.
  const path = `/${randomUUID()}`;
  const starter = createServer(async (request, response) => {
    if (request.url !== path) return void response.writeHead(404).end();
    try {
      server ??= openTestServer();
      const opened = await server;
      response.end(JSON.stringify('unavailable' in opened ? opened : { url: opened.url }));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  await once(starter.listen(0, '127.0.0.1'), 'listening');
  const address = starter.address();
  const port = typeof address === 'object' ? address?.port : null;
  const run = `http://127.0.0.1:${port}${path}`;
  project.provide('postgresStarter', run);
  const folder = openFolder('tests');
  project.provide('sharedFolder', folder.path);
  const citusUrl = process.env['TEST_CITUS_URL'];
  if (!citusUrl)
    process.stderr.write('Tests on Citus are skipped: TEST_CITUS_URL names no coordinator of a cluster.\n');
  project.provide('logEnd', citusUrl ? await endOfLog(citusUrl) : null);
  return async () => {
    folder[Symbol.dispose]();
    starter.close();
    if (citusUrl) await removeTemplateOnCitus(citusUrl, run);
    const opened = await server;
    if (opened !== null && !('unavailable' in opened)) await opened[Symbol.asyncDispose]();
  };
}
