import { hash, timingSafeEqual } from 'node:crypto';
import { PUBLIC_ENDPOINTS, type PublicEndpointId } from '@access-admin/contract';
import { SCOPES } from '@access-admin/domain';
import type { Store } from '@access-admin/store';
import { addressOf, tenantOfHost } from '../../auth/base-address.ts';
import type { SigningKeys } from '../../auth/signing-keys.ts';
import type { Config } from '../../config.ts';
import { jsonResponse, type RequestHandler } from '../../http/exchange.ts';
import type { Router } from '../../http/router.ts';
import type { Observe } from '../../operations/observe.ts';
import type { OfTenants } from '../../operations/of-tenants.ts';
import { problemResponse } from '../../operations/problem.ts';
import type { Metrics } from '../../telemetry/metrics.ts';

export interface ServiceEndpointsDeps {
  readonly store: Store;
  readonly keys: SigningKeys;
  readonly metrics: Metrics;
  readonly config: Pick<Config, 'baseAddress' | 'metricsToken'>;
  /** Creates the document at the first request, so that the start does not wait for it. */
  readonly openApi: () => unknown;
  /** The same for events. */
  readonly asyncApi: () => unknown;
  readonly stopping: AbortSignal;
  readonly observe: Observe;
  readonly ofTenants: OfTenants;
}

/** The endpoints without an access token: health, readiness, metrics, keys, server metadata and the OpenAPI document. */
export function mountServiceEndpoints(router: Router, deps: ServiceEndpointsDeps): void {
  const { store, keys, metrics, config, stopping, observe, ofTenants } = deps;
  const get = (id: PublicEndpointId, handler: RequestHandler) =>
    router.add('GET', pathOfEndpoint(id), observe(handler, id));
  get('get-health', () => jsonResponse({ status: 'ok' }));
  get('get-readiness', async (_, { trackingId }) => {
    const notReady = (text: string) => problemResponse({ type: 'Unavailable', causes: [{ at: '', text }] }, trackingId);
    if (stopping.aborted) return notReady('The service is stopping.');
    return store.ping().then(
      () => jsonResponse({ status: 'ready' }),
      () => notReady('The storage cannot be reached.'),
    );
  });
  const mayScrape = createTokenGuard(config.metricsToken);
  get('get-metrics', async (exchange, { trackingId }) => {
    const authorization = exchange.header('authorization');
    if (!mayScrape(authorization)) {
      const [error, reason] =
        authorization === null ? [null, 'no token'] : (['invalid_token', 'not METRICS_TOKEN'] as const);
      return problemResponse({ type: 'Unauthenticated', causes: [], error, reason }, trackingId);
    }
    const { contentType, text } = await metrics.render();
    return { status: 200, headers: { 'content-type': contentType }, body: text };
  });
  const getDocument = (id: PublicEndpointId, create: () => unknown) => {
    let document: unknown;
    get(id, () => {
      document ??= create();
      return jsonResponse(document);
    });
  };
  getDocument('get-openapi', deps.openApi);
  getDocument('get-asyncapi', deps.asyncApi);
  get('get-jwks', async () => jsonResponse(await keys.jwks()));
  get(
    'get-server-metadata',
    ofTenants((exchange) => jsonResponse(serverMetadata(config.baseAddress, exchange.header('host') ?? ''))),
  );
}

const pathOfEndpoint = (id: PublicEndpointId): string =>
  PUBLIC_ENDPOINTS.find((endpoint) => endpoint.id === id)?.path ?? '';

/** Accepts the Bearer token, or everything if there is none. The time does not tell how much of a token is right. */
function createTokenGuard(token: string | null): (authorization: string | null) => boolean {
  if (token === null) return () => true;
  const digestOf = (text: string) => hash('sha256', text, 'buffer');
  const expected = digestOf(token);
  return (authorization) => {
    const given = /^Bearer +(.*)$/i.exec(authorization ?? '')?.[1];
    return given !== undefined && timingSafeEqual(digestOf(given), expected);
  };
}

/** RFC 8414. Where the base address names the tenant, each tenant's host is an issuer of its own. */
function serverMetadata(baseAddress: string, host: string) {
  const address = addressOf(baseAddress, tenantOfHost(baseAddress, host) ?? '{tenant}');
  return {
    issuer: address,
    token_endpoint: `${address}/oauth/token`,
    jwks_uri: `${address}/.well-known/jwks.json`,
    scopes_supported: SCOPES,
    response_types_supported: [],
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    service_documentation: `${address}/docs`,
  };
}
