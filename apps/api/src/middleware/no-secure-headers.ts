import type { secureHeaders } from 'hono/secure-headers';

/** Turns the defaults of `hono/secure-headers` off: each page names the headers that it has. */
export const NO_SECURE_HEADERS = {
  crossOriginResourcePolicy: false,
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  referrerPolicy: false,
  strictTransportSecurity: false,
  xContentTypeOptions: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xFrameOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
} as const satisfies Parameters<typeof secureHeaders>[0];
