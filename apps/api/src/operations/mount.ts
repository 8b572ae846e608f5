import { OPERATIONS } from '@access-admin/contract';
import type { Router } from '../http/router.ts';
import { createOperationHandler, type OperationDeps } from './handle.ts';
import type { Observe } from './observe.ts';
import type { OperationHandlers } from './request.ts';

/** Adds a route for every operation of the table. */
export function mountOperations(
  router: Router,
  handlers: OperationHandlers,
  deps: OperationDeps & { readonly observe: Observe },
): void {
  for (const operation of OPERATIONS) {
    const handler = createOperationHandler(operation, handlers[operation.id], deps);
    router.add(operation.method, operation.path, deps.observe(handler));
  }
}
