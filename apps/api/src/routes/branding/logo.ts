import { Hono } from 'hono';
import type { PageEnv } from '../../env.ts';
import { page } from '../../sign-in/mount.ts';
import { refusePage } from '../../sign-in/pages/error-page.tsx';
import { LOGO_PATH } from '../../sign-in/pages/layout.tsx';

const NO_LOGO = { type: 'NotFound', causes: [] } as const;

/** The logo of the tenant. Its address names its content, so that it is cached for ever. */
export const logo = () =>
  new Hono<PageEnv>().get(`${LOGO_PATH}:digest`, ...page('get-logo'), async (c) => {
    const url = await c.env.services.store.branding.readLogo(c.get('tenant'), c.req.param('digest'));
    if (url === null) return refusePage(c, NO_LOGO);
    return c.body(Uint8Array.from(Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')), 200, {
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
    });
  });
