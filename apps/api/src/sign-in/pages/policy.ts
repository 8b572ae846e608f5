import type { Context, MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import { NO_SECURE_HEADERS } from '../../middleware/no-secure-headers.ts';
import type { PageMiddleware } from './context.ts';
import type { PageNeeds } from './page.ts';

/**
 * Sets the headers that bound what a page may load and who may frame it, for answers that are pages. A page says what it needs by
 * `c.set('needs', …)`.
 */
export const pagePolicy: PageMiddleware = async (c, next) => {
  await next();
  const needs = c.get('needs');
  if (needs === null) return;
  await policyOf(needs)(c, async () => {});
  // Older browsers know this header alone. It cannot name origins, so it must not stand beside some.
  if (whitelistOf(c) === null) c.header('x-frame-options', 'DENY');
};

/** The origins that may frame the page; null for none. They have the grammar of a source of the policy. */
const whitelistOf = (c: Context): string | null => c.get('metadata')?.iFrameWhitelist ?? null;

const policyOf = ({ script, pictures = false, frames = false }: PageNeeds): MiddlewareHandler =>
  secureHeaders({
    ...NO_SECURE_HEADERS,
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      styleSrc: ["'self'"],
      ...(script ? { scriptSrc: ["'self'"], connectSrc: ["'self'"] } : {}),
      // Every page has the icon.
      ...(pictures ? { imgSrc: ["'self'", 'data:'], fontSrc: ["'self'"] } : { imgSrc: ["'self'"] }),
      ...(frames ? { frameSrc: ["'self'"] } : {}),
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: [
        (c) => {
          const whitelist = whitelistOf(c);
          return whitelist === null ? "'none'" : `'self' ${whitelist}`;
        },
      ],
      requireTrustedTypesFor: ["'script'"],
      trustedTypes: ["'none'"],
    },
    referrerPolicy: 'same-origin',
    crossOriginOpenerPolicy: 'same-origin',
    crossOriginResourcePolicy: 'same-origin',
  });
