import { parseLogo } from '@access-admin/domain';
import type { BrandingStore } from '@access-admin/store';
import type { PageHandler } from '../../pages/context.ts';
import { refusePage } from '../../pages/error-page.ts';
import { LOGO_PATH } from '../../pages/layout.ts';
import type { PageRoute } from '../../pages/pages.ts';

const NO_LOGO = { type: 'NotFound', causes: [] } as const;

/** The logo of the tenant. Its address names its content, so that it is cached for ever. */
export const logoPages = (deps: { readonly branding: Pick<BrandingStore, 'readLogo'> }): readonly PageRoute[] => [
  ['GET', `${LOGO_PATH}:digest`, 'get-logo', showLogo(deps)],
];

const showLogo =
  ({ branding }: { readonly branding: Pick<BrandingStore, 'readLogo'> }): PageHandler =>
  async (c) => {
    const url = await branding.readLogo(c.get('tenant'), c.req.param('digest') ?? '');
    const logo = url === null ? null : parseLogo(url);
    if (logo === null) return refusePage(c, NO_LOGO);
    return c.body(Uint8Array.from(logo.bytes), 200, {
      'content-type': logo.mediaType,
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      // Opened as a page of its own, an SVG runs nothing and loads nothing; it may style itself.
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
    });
  };
