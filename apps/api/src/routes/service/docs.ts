import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LIMITS_HEADING, PUBLISHED_LIMITS } from '@access-admin/contract';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import type { ApiEnv, Middleware } from '../../env.ts';
import { named } from '../../middleware/named.ts';
import { NO_SECURE_HEADERS } from '../../middleware/no-secure-headers.ts';

/** Among the sources it is in its package; a bundle has its files beside itself. */
const SWAGGER_UI = import.meta.url.endsWith('.ts')
  ? dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')))
  : join(import.meta.dirname, 'swagger-ui');

/** The reference page, without resources from elsewhere. */
export function docs(): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  const each = [named('get-docs'), shareWithOwnPages] as const;
  app.get('/docs', ...each, pagePolicy, (c) => c.html(PAGE));
  app.get('/docs/page.css', ...each, (c) => c.body(PAGE_STYLE, 200, { 'content-type': 'text/css; charset=utf-8' }));
  app.get('/docs/start.js', ...each, (c) =>
    c.body(START_SCRIPT, 200, { 'content-type': 'text/javascript; charset=utf-8' }),
  );
  for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js'])
    app.get(`/docs/${name}`, ...each, keptForAnHour, serveStatic<ApiEnv>({ root: SWAGGER_UI, path: name }));
  return app;
}

const shareWithOwnPages = secureHeaders({ ...NO_SECURE_HEADERS, crossOriginResourcePolicy: 'same-origin' });

/**
 * Nothing inline is allowed: the page has nothing inline, and Swagger UI sets styles by script, which the policy permits. Its
 * style sheet contains small images. The page cannot be framed, shares no window with its opener, and sends no referrer.
 */
const pagePolicy = secureHeaders({
  ...NO_SECURE_HEADERS,
  crossOriginOpenerPolicy: 'same-origin',
  referrerPolicy: 'no-referrer',
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'", 'data:'],
    connectSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
});

const keptForAnHour: Middleware = (c, next) => {
  c.header('cache-control', 'max-age=3600');
  return next();
};

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
