import type { BrandingStore, UiMetadataStore } from '@access-admin/store';
import { type HostTenants, NO_TENANT } from '../../auth/host-tenants.ts';
import type { ClientAddress } from '../../http/client-address.ts';
import { isFramed } from '../../http/cookies.ts';
import type { OwnOrigins } from '../../http/own-origins.ts';
import { pathOf, queryOf, targetOf } from '../../http/target.ts';
import type { CountRequest } from '../../middleware/limit-rate.ts';
import type { Sessions } from '../../sessions/sessions.ts';
import type { PageContext, PageMiddleware } from './context.ts';
import { refusePage } from './error-page.tsx';
import { readForm } from './form.ts';
import { redirectTo } from './layout.tsx';
import { speechOf, textOf } from './speech.ts';
import { PAGE_TEXTS } from './texts.ts';

/** Refuses requests of an address beyond its limit (429). */
export const limitAddress =
  (count: CountRequest | null, addressOf: ClientAddress): PageMiddleware =>
  async (c, next) => {
    const refused = (await count?.({ tenant: '', clientId: addressOf(c) })) ?? null;
    return refused === null ? next() : refusePage(c, refused);
  };

interface LookDeps {
  readonly hostTenants: Pick<HostTenants, 'find'>;
  readonly uiMetadata: Pick<UiMetadataStore, 'read'>;
  readonly branding: Pick<BrandingStore, 'readShown'>;
}

/** Finds the tenant that the host names (404), and how its pages look. */
export const ofTenant =
  ({ hostTenants, uiMetadata, branding }: LookDeps): PageMiddleware =>
  async (c, next) => {
    const tenant = await hostTenants.find(c);
    if (tenant === null) return refusePage(c, NO_TENANT, { text: textOf(c, PAGE_TEXTS, 'refused.tenant') });
    c.set('tenant', tenant);
    c.set('isFramed', isFramed(c));
    c.set('metadata', await uiMetadata.read(tenant));
    c.set('branding', await branding.readShown(tenant));
    return next();
  };

/** Marks the address to which a page has led. A proxy may pass on another host than that which the browser has. */
const LED = 'base-address';

/**
 * Leads a page that is opened at another host than the base address to the latter (303): there it could ask for a password, but
 * not take it. Where a session lives, or the browser was led to the base address before, only a proxy has changed the host.
 */
export const atBaseAddress =
  (origins: OwnOrigins, sessions: Pick<Sessions, 'find'>): PageMiddleware =>
  async (c, next) => {
    const tenant = c.get('tenant');
    c.set('origin', origins.usedBy(c, tenant));
    const query = queryOf(c);
    if (c.req.method === 'POST' || query.has(LED) || origins.isOwnHost(c, tenant)) return next();
    if ((await sessions.find(c)) !== null) return next();
    const marked = new URLSearchParams(query);
    marked.set(LED, '');
    return redirectTo(c, `${origins.baseOf(tenant)}${pathOf(targetOf(c))}?${marked}`);
  };

/** Refuses a POST that does not come from a page of this service (403), and reads its form (400, 413, 415). */
export const ownForm =
  (origins: OwnOrigins): PageMiddleware =>
  async (c, next) => {
    c.set('form', () => '');
    if (c.req.method !== 'POST') return next();
    const tenant = c.get('tenant');
    if (!origins.isSource(c, tenant)) {
      const origin = origins.baseOf(tenant);
      return refusePage(c, FOREIGN, { text: textOf(c, PAGE_TEXTS, 'refused.origin', { origin }) });
    }
    const form = await readForm(c);
    if (!form.ok) {
      const isUnreadable = UNREADABLE.includes(form.failure.type);
      return refusePage(c, form.failure, { text: isUnreadable ? textOf(c, PAGE_TEXTS, 'refused.form') : null });
    }
    c.set('form', form.value);
    return next();
  };

/** Another form helps; a smaller body or a later attempt does for the others. */
const UNREADABLE: readonly string[] = ['MalformedBody', 'UnsupportedMediaType'];

const FOREIGN = { type: 'Forbidden', causes: [] } as const;

/** Sets what is known of every page before its checks. */
export const asPage: PageMiddleware = (c, next) => {
  c.set('needs', null);
  c.set('speech', speechOf(c));
  return next();
};

/** Answers another method on the path of a page, with the methods that it takes. */
export const refuseMethod =
  (methods: readonly string[]) =>
  (c: PageContext): Response | Promise<Response> =>
    refusePage(c, { type: 'MethodNotAllowed', causes: [], allow: methods.join(', ') });

/** Refuses a method that a page does not take: Hono hands HEAD to the handler of GET. */
export const refuseOthers = (methods: readonly string[]): PageMiddleware => {
  const refuse = refuseMethod(methods);
  return async (c, next) => (methods.includes(c.req.method) ? next() : refuse(c));
};
