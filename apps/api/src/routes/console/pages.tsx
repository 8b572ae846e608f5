import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import type { Middleware, PageEnv } from '../../env.ts';
import { pathAndQueryOf, targetOf } from '../../http/target.ts';
import { named } from '../../middleware/named.ts';
import { CONSOLE_PATH } from '../../sign-in/console-path.ts';
import { page } from '../../sign-in/mount.ts';
import { asPage } from '../../sign-in/pages/checks.ts';
import type { PageMiddleware } from '../../sign-in/pages/context.ts';
import { refusePage } from '../../sign-in/pages/error-page.tsx';
import { type Brand, brandOf, HTML, redirectTo } from '../../sign-in/pages/layout.tsx';
import { pagePolicy } from '../../sign-in/pages/policy.ts';
import { textOf } from '../../sign-in/pages/speech.ts';
import { CONSOLE_TEXTS } from './texts.ts';

/** The document of the built console in this folder; null where it is not built. */
export function readConsole(folder: string): string | null {
  try {
    return readFileSync(join(folder, 'index.html'), 'utf8');
  } catch {
    return null;
  }
}

/**
 * One document for all pages of the console. It has no content of its own: the pages read everything by the operations of the
 * API, with the session of the browser.
 */
export const consolePages = (document: string) =>
  new Hono<PageEnv>().get(`${CONSOLE_PATH}*`, ...page('show-console'), async (c) => {
    if ((await c.env.services.sessions.find(c)) === null)
      return redirectTo(c, `/login?to=${encodeURIComponent(pathAndQueryOf(targetOf(c)))}`);
    // A new window would not share the cookies of the frame: there the sign-in is shown within the page.
    c.set('needs', { script: true, pictures: true, frames: c.get('isFramed') });
    return c.html(branded(document, brandOf(c)), 200, HTML);
  });

/** The document with the brand of the tenant, which the console shows in its head from the first moment on. */
function branded(document: string, { title, logo }: Brand): string {
  const meta = <meta name="brand" content={title} data-logo={logo ?? undefined} />;
  return document.replace('</head>', () => `${meta}</head>`);
}

/** The files of the built console in this folder. */
export function consoleFiles(folder: string): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  const findFile = serveStatic<PageEnv>({
    root: join(folder, 'assets'),
    rewriteRequestPath: (path) => path.slice(`${CONSOLE_PATH}assets`.length),
    // The build compresses them.
    precompressed: true,
  });
  const files: PageMiddleware = (c, next) => (SERVED.test(c.req.path) ? findFile(c, next) : next());
  app.get(
    `${CONSOLE_PATH}assets/:name`,
    named('get-console-file'),

    keptForEver,
    files,
    asPage,
    pagePolicy,
    (c) => refusePage(c, NO_FILE, { text: textOf(c, CONSOLE_TEXTS, 'no-file') }),
  );
  return app;
}

/** Not the compressed files beside them, nor the maps of their sources. */
const SERVED = /\.(?:css|js|svg)$/;

/** Lets browsers keep a file: its name has a digest of its content. */
const keptForEver: Middleware = async (c, next) => {
  await next();
  if (!c.res.ok) return;
  c.header('cache-control', 'public, max-age=31536000, immutable');
  c.header('cross-origin-resource-policy', 'same-origin');
  c.header('vary', 'accept-encoding');
};

const NO_FILE = { type: 'NotFound', causes: [] } as const;
