import { readFile } from 'node:fs/promises';
import type { Hono } from 'hono';
import type { Reply, RequestHandler } from '../exchange.ts';
import { type Env, honoHandler } from '../hono-exchange.ts';
import type { Observe } from '../observe-requests.ts';

const ASSETS = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
} as const;

const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The reference page, served wholly by ourselves. */
export function mountDocs(app: Hono<Env>, observe: Observe): void {
  const get = (path: string, handler: RequestHandler) => app.get(path, honoHandler(observe(handler)));
  get('/docs', () => asset(PAGE, 'text/html; charset=UTF-8', { 'content-security-policy': CONTENT_SECURITY_POLICY }));
  get('/docs/start.js', () => asset(START_SCRIPT, 'text/javascript; charset=utf-8'));
  for (const [name, contentType] of Object.entries(ASSETS)) {
    get(`/docs/${name}`, async () => {
      const content = await readFile(new URL(import.meta.resolve(`swagger-ui-dist/${name}`)));
      return asset(content, contentType, { 'cache-control': 'max-age=3600' });
    });
  }
}

const asset = (body: string | Uint8Array, contentType: string, headers: Record<string, string> = {}): Reply => ({
  status: 200,
  headers: { 'content-type': contentType, ...headers },
  body,
});

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>access-admin API reference</title>
    <link rel="stylesheet" href="/docs/swagger-ui.css" />
  </head>
  <body>
    <div id="reference"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>`;

const START_SCRIPT = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#reference', deepLinking: true });\n`;
