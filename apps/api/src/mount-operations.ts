import { OPERATIONS, type Operation } from '@access-admin/contract';
import type { OperationId } from '@access-admin/domain';
import type { Hono } from 'hono';
import { handleOperation, type OperationDeps, type OperationHandler } from './handle-operation.ts';
import type { Observe } from './observe-requests.ts';
import type { Env } from './request-context.ts';

/** One handler for each operation of the table: a missing one does not compile. */
export type OperationHandlers = Readonly<Record<OperationId, OperationHandler>>;

/** Mounts every operation of the table behind the general checks. */
export function mountOperations(
  app: Hono<Env>,
  handlers: OperationHandlers,
  deps: OperationDeps & { readonly observe: Observe },
): void {
  for (const operation of OPERATIONS) {
    app.on(
      operation.method,
      honoPath(operation),
      deps.observe(handleOperation(operation, handlers[operation.id], deps)),
    );
  }
}

const honoPath = ({ path }: Operation) => path.replaceAll(/\{(\w+)\}/g, ':$1');
