import type { BrandingStore, UiMetadataStore } from '@access-admin/store';
import { Hono } from 'hono';
import type { HostTenants } from '../../auth/host-tenants.ts';
import type { ApiEnv, PageEnv } from '../../env.ts';
import type { ClientAddress } from '../../http/client-address.ts';
import { createOwnOrigins } from '../../http/own-origins.ts';
import { type ErrorDeps, failureOfError } from '../../middleware/errors.ts';
import type { CountRequest } from '../../middleware/limit-rate.ts';
import { named } from '../../middleware/named.ts';
import type { Sessions } from '../../sessions/sessions.ts';
import { PAGE_ASSETS } from './assets.ts';
import { asPage, atBaseAddress, limitAddress, ofTenant, ownForm, refuseMethod, refuseOthers } from './checks.ts';
import type { PageHandler } from './context.ts';
import { refusePage } from './error-page.tsx';
import { pagePolicy } from './policy.ts';

export interface PagesDeps extends ErrorDeps {
  readonly baseAddress: string;
  readonly uiMetadata: Pick<UiMetadataStore, 'read'>;
  readonly branding: Pick<BrandingStore, 'readShown'>;
  readonly hostTenants: Pick<HostTenants, 'find'>;
  readonly sessions: Pick<Sessions, 'find'>;
  readonly addressOf: ClientAddress;
  /** Counts the requests of an address; null when limiting is off. */
  readonly countRequest: CountRequest | null;
}

/** `GET_ALONE` is a GET that takes effect, as where a provider leads back: HEAD, which must take none, is refused there. */
export type PageMethod = 'GET' | 'GET_ALONE' | 'POST';

/** One page: its name in the log and in metrics, and its handler. */
export type PageRoute = readonly [method: PageMethod, path: string, name: string, handler: PageHandler];

const METHODS: Readonly<Record<PageMethod, readonly string[]>> = {
  GET: ['GET', 'HEAD'],
  GET_ALONE: ['GET'],
  POST: ['POST'],
};

/**
 * The pages for people in browsers. Each passes the same checks, in this order: rate (429), tenant (404), address (303), origin
 * (403), form (400, 413, 415). Their refusals are pages too.
 */
export function createPages(routes: readonly PageRoute[], deps: PagesDeps): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  const origins = createOwnOrigins(deps.baseAddress);
  const checks = [
    limitAddress(deps.countRequest, deps.addressOf),
    ofTenant(deps),
    atBaseAddress(origins, deps.sessions),
    ownForm(origins),
  ] as const;
  const methodsOf = new Map<string, string[]>();
  for (const [method, path, name, handler] of routes) {
    const verb = method === 'POST' ? 'POST' : 'GET';
    const start = [named(name), asPage, pagePolicy, refuseOthers(METHODS[method])] as const;
    app.on(verb, [path], ...start, ...checks, handler);
    methodsOf.set(path, [...(methodsOf.get(path) ?? []), ...METHODS[method]]);
  }
  for (const [path, methods] of methodsOf) app.all(path, asPage, pagePolicy, refuseMethod(methods));
  app.onError((error, c) => {
    const { failure, reason } = failureOfError(error, c.env.state, deps);
    return refusePage(c, failure, { reason });
  });
  return app;
}

/** The style, the script and the icon of all pages. */
export function pageAssets(): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  for (const { path, headers, content } of PAGE_ASSETS)
    app.get(path, named('get-page-asset'), (c) => c.body(content, 200, { ...headers }));
  return app;
}
