import { hash, timingSafeEqual } from 'node:crypto';
import {
  AUTHZEN,
  createAsyncApiDocument,
  createOpenApiDocument,
  PUBLIC_ENDPOINTS,
  type PublicEndpointId,
} from '@access-admin/contract';
import { SCOPES } from '@access-admin/domain';
import { type Handler, Hono } from 'hono';
import { tenantAddress, tenantOfHost } from '../../auth/base-address.ts';
import type { AppConfig } from '../../config.ts';
import type { ApiEnv } from '../../env.ts';
import { refuse } from '../../http/problem.ts';
import { existingTenant } from '../../middleware/existing-tenant.ts';
import { named } from '../../middleware/named.ts';
import { streamJson } from '../../streaming/stream-json.ts';

/** The endpoints without an access token: health, readiness, metrics, keys, server metadata and the OpenAPI document. */
export function serviceEndpoints({ baseAddress, metricsPort, metricsToken }: AppConfig): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  const get = (id: PublicEndpointId, handler: Handler<ApiEnv>) => app.get(pathOfEndpoint(id), named(id), handler);
  get('get-health', (c) => c.json({ status: 'ok' }));
  get('get-readiness', async (c) => {
    const { store, stopping } = c.env.services;
    const notReady = (text: string) => refuse(c, { type: 'Unavailable', causes: [{ at: '', text }] });
    if (stopping.aborted) return notReady('The service is stopping.');
    return store.ping().then(
      () => c.json({ status: 'ready' }),
      () => notReady('The storage cannot be reached.'),
    );
  });
  // Otherwise they are served on a port of their own.
  if (metricsPort === null) {
    const mayScrape = createTokenGuard(metricsToken);
    get('get-metrics', async (c) => {
      const authorization = c.req.header('authorization');
      if (!mayScrape(authorization)) return refuse(c, authorization === undefined ? NO_TOKEN : WRONG_TOKEN);
      const { contentType, text } = await c.env.services.metrics.render();
      return streamJson(c, text, { 'content-type': contentType });
    });
  }
  // Made at the first request, so that the start does not wait for it.
  const getDocument = (id: PublicEndpointId, create: () => unknown) => {
    let text: string | null = null;
    get(id, (c) => {
      text ??= JSON.stringify(create());
      return streamJson(c, text);
    });
  };
  getDocument('get-openapi', () => createOpenApiDocument(baseAddress));
  getDocument('get-asyncapi', () => createAsyncApiDocument(baseAddress));
  get('get-jwks', async (c) => c.json(await c.env.services.keys.jwks()));
  const metadata = 'get-server-metadata';
  app.get(pathOfEndpoint(metadata), named(metadata), existingTenant, (c) =>
    c.json(serverMetadata(baseAddress, c.req.header('host') ?? '')),
  );
  const decisionPoint = 'get-authzen-metadata';
  app.get(pathOfEndpoint(decisionPoint), named(decisionPoint), existingTenant, async (c) => {
    const claims = decisionPointMetadata(baseAddress, c.req.header('host') ?? '');
    const { policy_decision_point: iss } = claims;
    const signed_metadata = await c.env.services.signJson('JWT', JSON.stringify({ iss, ...claims }));
    return c.json({ ...claims, signed_metadata });
  });
  return app;
}

const NO_TOKEN = { type: 'Unauthenticated', causes: [], error: null, reason: 'no token' } as const;
const WRONG_TOKEN = {
  type: 'Unauthenticated',
  causes: [],
  error: 'invalid_token',
  reason: 'not METRICS_TOKEN',
} as const;

const pathOfEndpoint = (id: PublicEndpointId): string =>
  PUBLIC_ENDPOINTS.find((endpoint) => endpoint.id === id)?.path ?? '';

/** Accepts the Bearer token, or everything if there is none. The time does not tell how much of a token is right. */
function createTokenGuard(token: string | null): (authorization: string | undefined) => boolean {
  if (token === null) return () => true;
  const digestOf = (text: string) => hash('sha256', text, 'buffer');
  const expected = digestOf(token);
  return (authorization) => {
    const given = /^Bearer +(.*)$/i.exec(authorization ?? '')?.[1];
    return given !== undefined && timingSafeEqual(digestOf(given), expected);
  };
}

/** AuthZEN Authorization API 1.0. Where the base address names the tenant, each tenant's host is a decision point of its own. */
function decisionPointMetadata(baseAddress: string, host: string) {
  const address = tenantAddress(baseAddress, tenantOfHost(baseAddress, host) ?? '{tenant}');
  const { evaluate, evaluateMany, searchSubjects, searchResources, searchActions } = AUTHZEN;
  return {
    policy_decision_point: address,
    access_evaluation_endpoint: `${address}${evaluate.path}`,
    access_evaluations_endpoint: `${address}${evaluateMany.path}`,
    search_subject_endpoint: `${address}${searchSubjects.path}`,
    search_resource_endpoint: `${address}${searchResources.path}`,
    search_action_endpoint: `${address}${searchActions.path}`,
  };
}

/** RFC 8414. Where the base address names the tenant, each tenant's host is an issuer of its own. */
function serverMetadata(baseAddress: string, host: string) {
  const address = tenantAddress(baseAddress, tenantOfHost(baseAddress, host) ?? '{tenant}');
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
