import type { Message, RequestContext } from '../env.ts';

/** The target of a request as it was sent. `@hono/node-server` resolves dot segments in the address of its `Request`. */
export const targetOfRequest = (request: Request, { incoming }: Message = {}): string =>
  incoming?.url ?? withoutOrigin(request.url);

export const targetOf = (c: RequestContext): string => targetOfRequest(c.req.raw, c.env);

/** The path of a request as it was sent: routes are matched before anything is decoded or resolved. */
export const sentPath = (request: Request, options?: { readonly env?: Message }): string =>
  pathOf(targetOfRequest(request, options?.env));

export const hasQuery = (c: RequestContext): boolean => targetOf(c).includes('?');

/** The parameters of the query. */
export const queryOf = (c: RequestContext): URLSearchParams => {
  const target = targetOf(c);
  const start = target.indexOf('?');
  return start === -1 ? NO_QUERY : new URLSearchParams(target.slice(start).split('#', 1)[0]);
};

// Most requests have none, and nothing changes one.
const NO_QUERY = new URLSearchParams();

/** The path and the query of a target. */
export const pathAndQueryOf = (target: string): string => withoutOrigin(target).replace(/#.*$/, '');

/** The path of a target, in origin or absolute form, as it was sent. */
export function pathOf(target: string): string {
  const path = withoutOrigin(target);
  const query = path.indexOf('?');
  const fragment = path.indexOf('#');
  if (query === -1 && fragment === -1) return path;
  return path.slice(0, Math.min(query === -1 ? path.length : query, fragment === -1 ? path.length : fragment));
}

function withoutOrigin(target: string): string {
  if (target.startsWith('/')) return target;
  const rest = target.replace(/^[^:]*:\/\/[^/?#]*/, '');
  // An address without a path has an empty path, even if a query follows.
  return rest.startsWith('/') ? rest : `/${rest}`;
}
