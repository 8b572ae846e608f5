import type { RequestContext } from '../http/env.ts';
import { type Failure, failure, type UiMetadata } from '@access-admin/domain';
import type { UiMetadataStore } from '@access-admin/store';
import { type HostTenants, NO_TENANT } from '../auth/host-tenants.ts';
import type { Config } from '../config.ts';
import type { ClientAddress } from '../http/client-address.ts';
import { isFramed } from '../http/cookies.ts';
import type { HttpResponse, RequestHandler } from '../http/exchange.ts';
import { createOwnOrigins, type OwnOrigins } from '../http/own-origins.ts';
import { pathOf } from '../http/target.ts';
import type { Router } from '../http/router.ts';
import { targetOf } from '../http/target.ts';
import type { LimitRate } from '../operations/limit-rate.ts';
import { failureOfError, type Observe } from '../operations/observe.ts';
import type { ApiFailure } from '../http/problem.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { RequestLog } from '../telemetry/request-log.ts';
import { errorPage } from './error-page.ts';
import { type Form, readForm } from './form.ts';
import { PAGE_ASSETS, type Page, pageResponse, redirectTo } from './layout.ts';

/** A request to a page, after the checks that all pages share. */
export interface PageRequest {
  readonly c: RequestContext;
  readonly trackingId: string;
  readonly tenant: string;
  /** The origin at which the browser shows the page: of the names of this machine the one that was used. */
  readonly origin: string;
  readonly metadata: UiMetadata;
  /** Whether a page of another window shows this one in a frame. */
  readonly isFramed: boolean;
  /** The parameters of the query. */
  readonly query: URLSearchParams;
  /** The fields of a POST; without fields for GET. */
  readonly form: Form;
}

/** What a page answers: a page, another response such as a redirect, or a failure, which becomes a page. */
export type PageAnswer = Page | HttpResponse | { readonly failure: ApiFailure };

export type PageHandler = (request: PageRequest) => PageAnswer | Promise<PageAnswer>;

export interface PagesDeps {
  readonly observe: Observe;
  readonly uiMetadata: Pick<UiMetadataStore, 'read'>;
  readonly config: Pick<Config, 'baseAddress'>;
  readonly hostTenants: Pick<HostTenants, 'find'>;
  readonly liveSessions: Pick<Sessions, 'find'>;
  readonly addressOf: ClientAddress;
  /** Counts the requests of an address; null when limiting is off. */
  readonly limitRate: LimitRate | null;
  readonly log: Pick<RequestLog, 'error'>;
}

/** Adds pages to the service. */
export interface Pages {
  /** Adds a page; `name` names it in the log and in metrics. */
  readonly add: (
    method: 'GET' | 'POST',
    path: string,
    page: { readonly name: string; readonly handle: PageHandler },
  ) => void;
  /** Answers other methods on the paths that have been added. To be called last. */
  readonly addRefusals: () => void;
}

export function createPages(router: Router, deps: PagesDeps): Pages {
  const methodsOfPaths = new Map<string, string[]>();
  for (const { path, response } of PAGE_ASSETS) router.add('GET', path, deps.observe(response, 'get-page-asset'));
  const add: Pages['add'] = (method, path, { name, handle }) => {
    router.add(method, path, deps.observe(createPageRoute(handle, deps), name));
    const methods = method === 'GET' ? ['GET', 'HEAD'] : [method];
    methodsOfPaths.set(path, [...(methodsOfPaths.get(path) ?? []), ...methods]);
  };
  const addRefusals = () => {
    for (const [path, methods] of methodsOfPaths) {
      const refused: ApiFailure = { type: 'MethodNotAllowed', causes: [], allow: methods.join(', ') };
      router.add(
        'ALL',
        path,
        deps.observe((_, { trackingId }) => errorPage(refused, trackingId, null)),
      );
    }
  };
  return { add, addRefusals };
}

/** The checks that every page passes, in their order: rate (429), tenant (404), address (303), origin (403), form (400, 413, 415). */
function createPageRoute(handle: PageHandler, deps: PagesDeps): RequestHandler {
  const { uiMetadata, config, hostTenants, limitRate, log } = deps;
  const origins = createOwnOrigins(config.baseAddress);
  const isElsewhere = createIsElsewhere(origins, deps);
  return async (c, { trackingId }) => {
    let whitelist: string | null = null;
    const refuse = (refused: ApiFailure) => errorPage(refused, trackingId, whitelist);
    try {
      const limited = limitRate?.({ tenant: '', clientId: deps.addressOf(c) });
      if (limited?.ok === false) return refuse(limited.failure);
      const tenant = await hostTenants.find(c);
      if (tenant === null) return refuse(NO_TENANT);
      const base = origins.baseOf(tenant);
      const query = new URLSearchParams(targetOf(c).split('?', 2)[1] ?? '');
      if (await isElsewhere(c, tenant, query)) return leadTo(base, c, query);
      const metadata = await uiMetadata.read(tenant);
      whitelist = metadata.iFrameWhitelist;
      const isPost = c.req.method === 'POST';
      if (isPost && !origins.isSource(c, tenant)) return refuse(foreignOrigin(base));
      const form = isPost ? await readForm(c) : NO_FORM;
      if (!form.ok) return refuse(form.failure);
      const origin = origins.usedBy(c, tenant);
      const given = { c, trackingId, tenant, origin, metadata, isFramed: isFramed(c) };
      return respond(await handle({ ...given, query, form: form.value }), trackingId, whitelist);
    } catch (error) {
      const { failure: thrown, reason } = failureOfError(error, trackingId, log);
      const response = refuse(thrown);
      const detailCode = response.refusal?.detailCode;
      return reason === null || detailCode === undefined ? response : { ...response, refusal: { detailCode, reason } };
    }
  };
}

const NO_FORM = { ok: true, value: () => '' } as const;

function respond(answer: PageAnswer, trackingId: string, whitelist: string | null): HttpResponse {
  if ('failure' in answer) return errorPage(answer.failure, trackingId, whitelist);
  return 'title' in answer ? pageResponse(answer, whitelist) : answer;
}

const foreignOrigin = (origin: string): Failure =>
  failure(
    'Forbidden',
    '',
    `The request does not come from a page of this service. Open ${origin} and begin again there.`,
  );

/** Marks the address to which a page has led. A proxy may pass on another host than that which the browser has. */
const LED = 'base-address';

/**
 * Whether a page is opened at another host than the base address: there it could ask for a password, but not take it. Where a
 * session lives, or the browser was led to the base address before, only a proxy has changed the host.
 */
const createIsElsewhere =
  (origins: OwnOrigins, { liveSessions }: Pick<PagesDeps, 'liveSessions'>) =>
  async (c: RequestContext, tenant: string, query: URLSearchParams): Promise<boolean> => {
    if (c.req.method === 'POST' || query.has(LED) || origins.isOwnHost(c, tenant)) return false;
    return (await liveSessions.find(c)) === null;
  };

/** The same page at the base address. */
function leadTo(base: string, { target }: RequestContext, query: URLSearchParams): HttpResponse {
  const marked = new URLSearchParams(query);
  marked.set(LED, '');
  return redirectTo(`${base}${pathOf(target)}?${marked}`);
}
