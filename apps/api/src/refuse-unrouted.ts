import { OPERATIONS, PUBLIC_ENDPOINTS } from '@access-admin/contract';
import { problemResponse } from './problem.ts';
import type { RequestHandler } from './request-context.ts';

/** 405 with `Allow` for a known path with another method, 404 for every other path. */
export function createRefuseUnrouted(): RequestHandler {
  const methodsByPath = new Map<string, string[]>();
  for (const { method, path } of [...OPERATIONS, ...PUBLIC_ENDPOINTS]) {
    const methods = method === 'GET' ? ['GET', 'HEAD'] : [method];
    methodsByPath.set(path, [...(methodsByPath.get(path) ?? []), ...methods]);
  }
  const known = [...methodsByPath].map(([path, methods]) => ({
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    allow: methods.join(', '),
  }));
  return (context, { trackingId }) => {
    const allow = known.find(({ pattern }) => pattern.test(context.req.path))?.allow;
    return allow === undefined
      ? problemResponse({ type: 'NotFound', causes: [] }, trackingId)
      : problemResponse({ type: 'MethodNotAllowed', causes: [], allow }, trackingId);
  };
}
