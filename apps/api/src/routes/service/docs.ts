import { readFile } from 'node:fs/promises';
import type { HttpResponse, RequestHandler } from '../../http/exchange.ts';
import type { Router } from '../../http/router.ts';
import type { Observe } from '../../operations/observe.ts';

const ASSETS = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
} as const;

// Nothing inline is allowed: the page has nothing inline, and Swagger UI sets styles by script, which the policy permits. Its
// style sheet contains small images.
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The page cannot be framed, shares no window with its opener, and sends no referrer. */
const PAGE_HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
};

const CHUNK_BYTES = 65_536;

/** The reference page, without resources from elsewhere. */
export function mountDocs(router: Router, observe: Observe): void {
  const get = (path: string, handler: RequestHandler) => router.add('GET', path, observe(handler, 'get-docs'));
  get('/docs', () => asset(PAGE, 'text/html; charset=UTF-8', PAGE_HEADERS));
  get('/docs/start.js', () => asset(START_SCRIPT, 'text/javascript; charset=utf-8'));
  for (const [name, contentType] of Object.entries(ASSETS)) {
    get(`/docs/${name}`, async () => {
      const content = await readFile(new URL(import.meta.resolve(`swagger-ui-dist/${name}`)));
      return asset(piecesOf(content), contentType, { 'cache-control': 'max-age=3600' });
    });
  }
}

const asset = (
  body: HttpResponse['body'],
  contentType: string,
  headers: Record<string, string> = {},
): HttpResponse => ({
  status: 200,
  headers: { 'content-type': contentType, 'cross-origin-resource-policy': 'same-origin', ...headers },
  body,
});

/** In pieces: a slow connection takes one in time, but not megabytes. */
async function* piecesOf(content: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.byteLength; at += CHUNK_BYTES) yield content.subarray(at, at + CHUNK_BYTES);
}

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
