import { OPERATIONS, type Operation } from '@access-admin/contract';
import type { OperationId } from '@access-admin/domain';
import type { Hono } from 'hono';
import type { ObservedHandler } from '../http/exchange.ts';
import { type Env, honoHandler } from '../http/hono-exchange.ts';
import { handleOperation, type OperationDeps, type OperationHandler } from './handle-operation.ts';
import type { Observe } from './observe-requests.ts';

/** One handler for each operation of the table: a missing one does not compile. */
export type OperationHandlers = Readonly<Record<OperationId, OperationHandler>>;

/** Mounts every operation of the table behind the general checks. Returns, by path, those that need no router. */
export function mountOperations(
  app: Hono<Env>,
  handlers: OperationHandlers,
  deps: OperationDeps & { readonly observe: Observe },
): ReadonlyMap<string, ObservedHandler> {
  const direct = new Map<string, ObservedHandler>();
  for (const operation of OPERATIONS) {
    const handler = deps.observe(handleOperation(operation, handlers[operation.id], deps));
    app.on(operation.method, honoPath(operation), honoHandler(handler));
    if (isDirect(operation)) direct.set(operation.path, handler);
  }
  return direct;
}

const honoPath = ({ path }: Operation) => path.replaceAll(/\{(\w+)\}/g, ':$1');

const isDirect = ({ method, path, body }: Operation) =>
  method === 'POST' && !path.includes('{') && body?.mediaType === 'application/json';
