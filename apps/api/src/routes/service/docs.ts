import { readFile } from 'node:fs/promises';
import { LIMITS_HEADING, PUBLISHED_LIMITS } from '@access-admin/contract';
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
  get('/docs/page.css', () => asset(PAGE_STYLE, 'text/css; charset=utf-8'));
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
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>access-admin API reference</title>
    <link rel="stylesheet" href="/docs/swagger-ui.css" />
    <link rel="stylesheet" href="/docs/page.css" />
  </head>
  <body>
    <div id="reference"></div>
    <div class="swagger-ui">
      <section id="limits" class="wrapper">${limitsTable()}</section>
    </div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>`;

function limitsTable(): string {
  const cells = (row: readonly string[], tag: 'th' | 'td') =>
    `<tr>${row.map((cell) => `<${tag}>${cell.replaceAll(/`([^`]*)`/g, '<code>$1</code>')}</${tag}>`).join('')}</tr>`;
  const rows = Object.values(PUBLISHED_LIMITS).map(({ what, most, over, setting }) =>
    cells([what, most, over, setting], 'td'),
  );
  return `<h2>Limits</h2><table>${cells(['limit', 'most', 'answer beyond', 'setting'], 'th')}${rows.join('')}</table>`;
}

const PAGE_STYLE = `body { margin: 0; }
html.dark-mode body { background: #1c2022; }
.swagger-ui .info { margin: 24px 0; }
#limits { padding-bottom: 48px; overflow-x: auto; }
#limits td, #limits th { padding: 4px 16px 4px 0; text-align: left; vertical-align: top; }
#limits code { white-space: nowrap; }
@media (max-width: 640px) {
  .swagger-ui .opblock-summary-description { display: none; }
  .swagger-ui .opblock .opblock-summary-path { max-width: 100%; }
}
`;

// Requests go to the origin of this page, whatever the public address is: the policy of the page permits no other.
const START_SCRIPT = `const colors = matchMedia('(prefers-color-scheme: dark)');
const applyColors = () => document.documentElement.classList.toggle('dark-mode', colors.matches);
colors.addEventListener('change', applyColors);
applyColors();
fetch('/openapi.json')
  .then((response) => response.json())
  .then((spec) => {
    spec.servers = [{ url: location.origin }];
    spec.info.description = spec.info.description.split('\\n${LIMITS_HEADING}\\n')[0];
    SwaggerUIBundle({
      spec,
      dom_id: '#reference',
      deepLinking: true,
      docExpansion: 'list',
      defaultModelsExpandDepth: 0,
      displayOperationId: false,
      tryItOutEnabled: true,
      validatorUrl: null,
    });
  });
`;
