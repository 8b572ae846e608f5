import { failure } from '@access-admin/domain';
import type { RequestHandler } from '../../http/exchange.ts';
import type { Router } from '../../http/router.ts';
import { targetOf } from '../../http/target.ts';
import type { Observe } from '../../operations/observe.ts';
import { policyHeaders } from '../../pages/content-policy.ts';
import { errorPage } from '../../pages/error-page.ts';
import { redirectTo } from '../../pages/layout.ts';
import type { Pages } from '../../pages/mount.ts';
import type { BrowserSessions } from '../../sign-in-steps/browser-sessions.ts';
import { type Bundle, bundleResponse } from './bundle.ts';

/** Where the console is. */
export const CONSOLE_PATH = '/console/';

export interface ConsoleDeps {
  readonly router: Router;
  readonly observe: Observe;
  readonly browserSessions: Pick<BrowserSessions, 'find'>;
}

/**
 * Adds the console: its files, and one document for all of its pages. The document has no content of its own; the pages read
 * everything by the operations of the API, with the session of the browser.
 */
export function mountConsole({ add }: Pages, bundle: Bundle, { router, observe, browserSessions }: ConsoleDeps): void {
  const showFile: RequestHandler = (c, { trackingId }) => {
    const file = bundle.files.get(c.req.param('name') ?? '');
    return file === undefined ? errorPage(NO_FILE, trackingId, null) : bundleResponse(file, c);
  };
  router.add('GET', `${CONSOLE_PATH}assets/{name}`, observe(showFile, 'get-console-file'));
  add('GET', `${CONSOLE_PATH}*`, {
    name: 'show-console',
    handle: async (request) => {
      const { c, metadata, isFramed } = request;
      if ((await browserSessions.find(request)) === null)
        return redirectTo(`/login?to=${encodeURIComponent(targetOf(c))}`);
      return {
        status: 200,
        headers: {
          'content-type': 'text/html; charset=utf-8',
          // A new window would not share the cookies of the frame: there the sign-in is shown within the page.
          ...policyHeaders(metadata.iFrameWhitelist, { script: true, pictures: true, frames: isFramed }),
        },
        body: bundle.document,
      };
    },
  });
}

const NO_FILE = failure(
  'NotFound',
  '',
  'The console has no such file: it may be of another version. Load the page again.',
);
