/** Endpoints that need no token. Log lines, metrics and the OpenAPI document name them by `id`. */
export const PUBLIC_ENDPOINTS = [
  {
    id: 'create-token',
    method: 'POST',
    path: '/oauth/token',
    summary: 'OAuth 2.0 token endpoint (client credentials)',
    description:
      'Returns an access token for a client (RFC 6749, grant `client_credentials`). The credentials are in the body or in an `Authorization: Basic` header. Without `scope` the token has all scopes of the client.',
  },
  {
    id: 'get-jwks',
    method: 'GET',
    path: '/.well-known/jwks.json',
    summary: 'Public keys that verify our tokens',
    description: 'Returns the public keys with which the signatures of access tokens can be verified (RFC 7517).',
  },
  {
    id: 'get-server-metadata',
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    summary: 'Authorization server metadata',
    description: 'Returns the addresses and abilities of the token endpoint (RFC 8414).',
  },
  {
    id: 'get-authzen-metadata',
    method: 'GET',
    path: '/.well-known/authzen-configuration',
    summary: 'Metadata of the policy decision point',
    description:
      'Returns the addresses of decisions and searches (AuthZEN Authorization API 1.0), once more as `signed_metadata`: a JWT by the key that signs access tokens.',
  },
  {
    id: 'get-current-session',
    method: 'GET',
    path: '/sessions/v1/current',
    summary: 'The session of the cookie of the request; 401 without one',
    description:
      'Returns whose session the cookie of the request names, how the identity has proven itself, and when the session ends. Pages ask it, because no script can read the cookie. A request with a token has no session.',
  },
  {
    id: 'get-health',
    method: 'GET',
    path: '/healthz',
    summary: 'Whether the process is alive',
    description: 'Answers 200 while the process runs. Restart a process that does not answer.',
  },
  {
    id: 'get-readiness',
    method: 'GET',
    path: '/readyz',
    summary: 'Whether requests can be served',
    description: 'Answers 200 while the process can serve requests, otherwise 503. Load balancers probe it.',
  },
  {
    id: 'get-metrics',
    method: 'GET',
    path: '/metrics',
    summary: 'Metrics for Prometheus; with METRICS_TOKEN as the Bearer token where the service sets one',
    description:
      'Returns the metrics of this process in the text format of Prometheus. Where the service has a `METRICS_TOKEN`, send it as the Bearer token.',
  },
  {
    id: 'get-openapi',
    method: 'GET',
    path: '/openapi.json',
    summary: 'This document',
    description: 'Returns this document (OpenAPI 3.1).',
  },
  {
    id: 'get-asyncapi',
    method: 'GET',
    path: '/asyncapi.json',
    summary: 'The AsyncAPI document of the events',
    description:
      'Returns the AsyncAPI 3.0 document of the events: a message for each type, with the schema of its data.',
  },
  {
    id: 'get-docs',
    method: 'GET',
    path: '/docs',
    summary: 'Reference page',
    description: 'Shows this document as a page on which requests can be tried.',
  },
] as const;

/** The id of an endpoint that needs no token. */
export type PublicEndpointId = (typeof PUBLIC_ENDPOINTS)[number]['id'];
