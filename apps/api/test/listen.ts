import { onTestFinished } from 'vitest';
import type { App } from '../src/app.ts';
import { serve } from '../src/serve.ts';
import { freePort } from './free-port.ts';

/** Serves an app on a port of this machine until the test ends. */
export async function listen(app: App): Promise<number> {
  const port = await freePort();
  const serving = await serve(app, { host: '127.0.0.1', port, newTrackingId: () => '0'.repeat(32) });
  if (!serving.ok) throw new Error(serving.failure);
  onTestFinished(() => serving.value.stop(0));
  return port;
}
