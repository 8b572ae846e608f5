import { NO_TENANT } from '../../auth/host-tenants.ts';
import { isFramed } from '../../http/cookies.ts';
import { pathOf, queryOf, targetOf } from '../../http/target.ts';
import type { PageContext, PageMiddleware } from './context.ts';
import { refusePage } from './error-page.tsx';
import { readForm } from './form.ts';
import { redirectTo } from './layout.tsx';
import { speechOf, textOf } from './speech.ts';
import { PAGE_TEXTS } from './texts.ts';

/** Refuses requests of an address beyond its limit (429). */
export const limitAddress: PageMiddleware = async (c, next) => {
  const { signIn, clientAddress } = c.env.services;
  const refused = signIn.countVisit?.({ tenant: '', clientId: clientAddress(c) }) ?? null;
  return refused === null ? next() : refusePage(c, refused);
};

/** Finds the tenant that the host names (404), and how its pages look. */
export const ofTenant: PageMiddleware = async (c, next) => {
  const { hostTenants, store, originOf } = c.env.services;
  const tenant = await hostTenants.find(c);
  if (tenant === null) return refusePage(c, NO_TENANT, { text: textOf(c, PAGE_TEXTS, 'refused.tenant') });
  c.set('tenant', tenant);
  c.set('source', { tenant, ...originOf(c) });
  c.set('isFramed', isFramed(c));
  c.set('metadata', await store.uiMetadata.read(tenant));
  c.set('branding', await store.branding.readShown(tenant));
  return next();
};

/** Marks the address to which a page has led. A proxy may pass on another host than that which the browser has. */
const LED = 'base-address';

/**
 * Leads a page that is opened at another host than the base address to the latter (303): there it could ask for a password, but
 * not take it. Where a session lives, or the browser was led to the base address before, only a proxy has changed the host.
 */
export const atBaseAddress: PageMiddleware = async (c, next) => {
  const { ownOrigins, sessions } = c.env.services;
  const tenant = c.get('tenant');
  c.set('origin', ownOrigins.usedBy(c, tenant));
  const query = queryOf(c);
  if (c.req.method === 'POST' || query.has(LED) || ownOrigins.isOwnHost(c, tenant)) return next();
  if ((await sessions.find(c)) !== null) return next();
  const marked = new URLSearchParams(query);
  marked.set(LED, '');
  return redirectTo(c, `${ownOrigins.baseOf(tenant)}${pathOf(targetOf(c))}?${marked}`);
};

/** Refuses a POST that does not come from a page of this service (403), and reads its form (400, 413, 415). */
export const ownForm: PageMiddleware = async (c, next) => {
  c.set('form', () => '');
  if (c.req.method !== 'POST') return next();
  const { ownOrigins } = c.env.services;
  const tenant = c.get('tenant');
  if (!ownOrigins.isSource(c, tenant)) {
    const origin = ownOrigins.baseOf(tenant);
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

/** Refuses HEAD, which Hono hands to the handler of GET. */
export const refuseHead: PageMiddleware = async (c, next) =>
  c.req.method === 'HEAD' ? refuseMethod(['GET'])(c) : next();
