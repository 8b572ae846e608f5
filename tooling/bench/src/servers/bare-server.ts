import { serve } from '@hono/node-server';
import { Hono } from 'hono';

// The minimal Hono application: reads the body and sends a prepared answer. Arguments: the answer and the port.
const answer = process.argv[2] ?? '{}';
const app = new Hono();
app.post('*', async (c) => {
  await c.req.text();
  return c.body(answer, 200, { 'content-type': 'application/json' });
});
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(process.argv[3]) });
