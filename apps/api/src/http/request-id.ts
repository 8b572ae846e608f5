import { REQUEST_ID_LENGTH_MAX } from '@access-admin/contract';
import type { RequestContext } from '../env.ts';

const VISIBLE = new RegExp(`^[\\x21-\\x7e]{1,${REQUEST_ID_LENGTH_MAX}}$`);

/** The `X-Request-ID` of a request; null without one of visible characters. */
export function requestIdOf(c: RequestContext): string | null {
  const given = c.req.header('x-request-id') ?? '';
  return VISIBLE.test(given) ? given : null;
}
