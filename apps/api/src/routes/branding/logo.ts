import { isLogo, pictureOfLogo } from '@access-admin/domain';
import type { BrandingStore } from '@access-admin/store';
import type { PageHandler } from '../../sign-in/pages/context.ts';
import { refusePage } from '../../sign-in/pages/error-page.tsx';
import { LOGO_PATH } from '../../sign-in/pages/layout.tsx';
import type { PageRoute } from '../../sign-in/pages/pages.ts';

const NO_LOGO = { type: 'NotFound', causes: [] } as const;

/** The logo of the tenant. Its address names its content, so that it is cached for ever. */
export const logoPages = (deps: { readonly branding: Pick<BrandingStore, 'readLogo'> }): readonly PageRoute[] => [
  ['GET', `${LOGO_PATH}:digest`, 'get-logo', showLogo(deps)],
];

const showLogo =
  ({ branding }: { readonly branding: Pick<BrandingStore, 'readLogo'> }): PageHandler =>
  async (c) => {
    const url = await branding.readLogo(c.get('tenant'), c.req.param('digest') ?? '');
    if (url === null || !isLogo(url)) return refusePage(c, NO_LOGO);
    return c.body(Uint8Array.from(Buffer.from(pictureOfLogo(url), 'base64')), 200, {
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
    });
  };
