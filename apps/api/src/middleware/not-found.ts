import { AUTHZEN } from '@access-admin/contract';
import { failure } from '@access-admin/domain';
import type { Hono } from 'hono';
import type { ApiEnv, RequestContext } from '../env.ts';
import { refuse } from '../http/problem.ts';
import { requestIdOf } from '../http/request-id.ts';

const NO_PATH = failure('NotFound', '', 'There is no such path: /docs lists all operations.');

const AUTHZEN_PATHS: readonly string[] = Object.values(AUTHZEN).map(({ path }) => path);

/** Answers what no route answers: 405 with `Allow` for a path of another method, 404 for every other path. */
export function createNotFound(app: Hono<ApiEnv>): (c: RequestContext) => Response {
  const known = new Map<string, Set<string>>();
  for (const { method, path } of app.routes) {
    if (method === 'ALL') continue;
    const methods = known.get(path) ?? new Set<string>();
    known.set(path, methods.add(method));
    if (method === 'GET') methods.add('HEAD');
  }
  const patterns = [...known].map(([path, methods]) => ({ pattern: patternOf(path), methods }));
  return (c) => {
    if (AUTHZEN_PATHS.includes(c.req.path)) c.env.state.requestId = requestIdOf(c);
    // A fixed path may match the pattern of a resource with an id too.
    const allowed = new Set(
      patterns.filter(({ pattern }) => pattern.test(c.req.path)).flatMap(({ methods }) => [...methods]),
    );
    return allowed.size === 0
      ? refuse(c, NO_PATH)
      : refuse(c, { type: 'MethodNotAllowed', causes: [], allow: [...allowed].join(', ') });
  };
}

const patternOf = (path: string) =>
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+').replaceAll('*', '.*')}$`);
