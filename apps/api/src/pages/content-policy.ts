/** What a page needs beyond text and style. */
export interface PageNeeds {
  /** Whether it runs scripts, such as that for passkeys. */
  readonly script: boolean;
  /** Whether it shows pictures. */
  readonly pictures?: boolean;
  /** Whether it shows other pages of the service in frames. */
  readonly frames?: boolean;
}

/**
 * The headers that bound what a page may load and who may frame it. The origins are those of the tenant's UI metadata, which
 * have the grammar of a source of the policy.
 */
export function policyHeaders(
  iFrameWhitelist: string | null,
  { script, pictures = false, frames = false }: PageNeeds,
): Record<string, string> {
  const directives = [
    "default-src 'none'",
    "style-src 'self'",
    ...(script ? ["script-src 'self'", "connect-src 'self'"] : []),
    // Every page has the icon.
    ...(pictures ? ["img-src 'self' data:", "font-src 'self'"] : ["img-src 'self'"]),
    ...(frames ? ["frame-src 'self'"] : []),
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${iFrameWhitelist === null ? "'none'" : `'self' ${iFrameWhitelist}`}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return {
    'content-security-policy': directives.join('; '),
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    // Older browsers know this header alone. It cannot name origins, so it must not stand beside some.
    ...(iFrameWhitelist === null ? { 'x-frame-options': 'DENY' } : {}),
  };
}
