import { Hono } from 'hono';
import type { ApiEnv, PageEnv } from '../env.ts';
import { failureOfError } from '../middleware/errors.ts';
import { named } from '../middleware/named.ts';
import { PAGE_ASSETS } from './pages/assets.ts';
import { asPage, atBaseAddress, limitAddress, ofTenant, ownForm, refuseHead, refuseMethod } from './pages/checks.ts';
import { refusePage } from './pages/error-page.tsx';
import { pagePolicy } from './pages/policy.ts';

/**
 * What every page passes before its handler: rate (429), tenant (404), address (303), origin (403), form (400, 413, 415). Its
 * refusals are pages too. The name appears in the log and in metrics.
 */
export const page = (name: string) => [named(name), asPage, pagePolicy, ...CHECKS] as const;

/**
 * The checks for a page whose GET has side effects, such as a provider's redirect: those of `page`, and HEAD is refused.
 */
export const pageOfGetAlone = (name: string) => [named(name), asPage, pagePolicy, refuseHead, ...CHECKS] as const;

const CHECKS = [limitAddress, ofTenant, atBaseAddress, ownForm] as const;

/** The pages for people in browsers. */
export function pages(...features: readonly Hono<PageEnv>[]): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  for (const feature of features) app.route('/', feature);
  for (const [path, methods] of methodsOf(app)) app.all(path, asPage, pagePolicy, refuseMethod([...methods]));
  app.onError((error, c) => {
    const { failure, reason } = failureOfError(error, c.env.state, c.env.services);
    return refusePage(c, failure, { reason });
  });
  return app;
}

/** The methods that each path takes. */
function methodsOf({ routes }: Hono<PageEnv>): ReadonlyMap<string, ReadonlySet<string>> {
  const methods = new Map<string, Set<string>>();
  for (const { path, method } of routes)
    methods.set(path, (methods.get(path) ?? new Set()).add(method).add(method === 'GET' ? 'HEAD' : method));
  for (const { path, handler } of routes) if (handler === refuseHead) methods.get(path)?.delete('HEAD');
  return methods;
}

/** The style, the script and the icon of all pages. */
export function pageAssets(): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  for (const { path, headers, content } of PAGE_ASSETS)
    app.get(path, named('get-page-asset'), (c) => c.body(content, 200, { ...headers }));
  return app;
}
