/** Endpoints that need no token. Log lines, metrics and the OpenAPI document name them by `id`. */
export const PUBLIC_ENDPOINTS = [
  {
    id: 'create-token',
    method: 'POST',
    path: '/oauth/token',
    summary: 'OAuth 2.0 token endpoint (client credentials)',
  },
  { id: 'get-jwks', method: 'GET', path: '/.well-known/jwks.json', summary: 'Public keys that verify our tokens' },
  {
    id: 'get-server-metadata',
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    summary: 'Authorization server metadata',
  },
  {
    id: 'get-current-session',
    method: 'GET',
    path: '/sessions/v1/current',
    summary: 'The session of the cookie of the request; 401 without one',
  },
  { id: 'get-health', method: 'GET', path: '/healthz', summary: 'Whether the process is alive' },
  { id: 'get-readiness', method: 'GET', path: '/readyz', summary: 'Whether requests can be served' },
  {
    id: 'get-metrics',
    method: 'GET',
    path: '/metrics',
    summary: 'Metrics for Prometheus; with METRICS_TOKEN as the Bearer token where the service sets one',
  },
  { id: 'get-openapi', method: 'GET', path: '/openapi.json', summary: 'This document' },
  { id: 'get-asyncapi', method: 'GET', path: '/asyncapi.json', summary: 'The AsyncAPI document of the events' },
  { id: 'get-docs', method: 'GET', path: '/docs', summary: 'Reference page' },
] as const;

/** The id of an endpoint that needs no token. */
export type PublicEndpointId = (typeof PUBLIC_ENDPOINTS)[number]['id'];
