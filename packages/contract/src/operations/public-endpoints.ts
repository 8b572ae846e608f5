/** Endpoints that need no token. */
export const PUBLIC_ENDPOINTS = [
  { method: 'POST', path: '/oauth/token', summary: 'OAuth 2.0 token endpoint (client credentials)' },
  { method: 'GET', path: '/.well-known/jwks.json', summary: 'Public keys that verify our tokens' },
  { method: 'GET', path: '/.well-known/oauth-authorization-server', summary: 'Authorization server metadata' },
  { method: 'GET', path: '/healthz', summary: 'Whether the process is alive' },
  { method: 'GET', path: '/readyz', summary: 'Whether requests can be served' },
  { method: 'GET', path: '/metrics', summary: 'Metrics for Prometheus' },
  { method: 'GET', path: '/openapi.json', summary: 'This document' },
  { method: 'GET', path: '/docs', summary: 'Reference page' },
] as const;
