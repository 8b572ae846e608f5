import { once } from 'node:events';
import { createServer } from 'node:http';
import { fail, ok, type Result } from '@access-admin/domain';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { bearerAuth } from 'hono/bearer-auth';
import type { TelemetryConfig } from '../configuration/parse.ts';
import type { ProcessMetrics } from './process-metrics.ts';

/** Where metrics are served. */
export interface MetricsServerOptions extends Pick<TelemetryConfig, 'metricsPort' | 'metricsToken'> {
  readonly host: string;
}

/** A port for those who run the service. */
export interface MetricsServer extends AsyncDisposable {
  /** The port that it listens on, also where port 0 was asked for. */
  readonly port: number;
}

/** Serves `/metrics` and `/healthz` where a port is set, else nothing; fails with a text when the address is not available. */
export async function serveMetrics(
  { host, metricsPort: port, metricsToken }: MetricsServerOptions,
  metrics: Pick<ProcessMetrics, 'render'>,
): Promise<Result<MetricsServer | null, string>> {
  if (port === null) return ok(null);
  const server = createAdaptorServer({
    fetch: createMetricsApp(metricsToken, metrics).fetch,
    createServer,
    // Stands for the host of a request of HTTP/1.0, which may have none.
    hostname: 'localhost',
  });
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    return fail(`Cannot listen on METRICS_PORT, ${host}:${port}: ${code}.`);
  }
  const address = server.address();
  return ok({
    port: typeof address === 'object' && address !== null ? address.port : port,
    [Symbol.asyncDispose]: async () => {
      if ('closeAllConnections' in server) server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}

function createMetricsApp(token: string | null, metrics: Pick<ProcessMetrics, 'render'>): Hono {
  const app = new Hono();
  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  if (token !== null) app.use('/metrics', bearerAuth({ token }));
  app.get('/metrics', async (c) => {
    const { contentType, text } = await metrics.render();
    return c.body(text, 200, { 'content-type': contentType });
  });
  return app;
}
