import { OPERATIONS, PUBLIC_ENDPOINTS } from '@access-admin/contract';
import { failure } from '@access-admin/domain';
import type { RequestHandler } from '../http/exchange.ts';
import { pathOf } from '../http/request-target.ts';
import { problemResponse } from './problem.ts';

const NO_PATH = failure('NotFound', '', 'There is no such path: /docs lists all operations.');

/** 405 with `Allow` for a known path with another method, 404 for every other path. */
export function createRefuseUnrouted(): RequestHandler {
  const methodsByPath = new Map<string, string[]>();
  for (const { method, path } of [...OPERATIONS, ...PUBLIC_ENDPOINTS]) {
    const methods = method === 'GET' ? ['GET', 'HEAD'] : [method];
    methodsByPath.set(path, [...(methodsByPath.get(path) ?? []), ...methods]);
  }
  const known = [...methodsByPath].map(([path, methods]) => ({
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    methods,
  }));
  return ({ target }, { trackingId }) => {
    const path = pathOf(target);
    // A fixed path may match the pattern of a resource with an id too.
    const methods = known.filter(({ pattern }) => pattern.test(path)).flatMap((each) => each.methods);
    return methods.length === 0
      ? problemResponse(NO_PATH, trackingId)
      : problemResponse({ type: 'MethodNotAllowed', causes: [], allow: [...new Set(methods)].join(', ') }, trackingId);
  };
}
