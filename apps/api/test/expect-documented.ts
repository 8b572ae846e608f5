import { OPERATIONS, validateResponse } from '@access-admin/contract';
import { expect } from 'vitest';

const ROUTES = OPERATIONS.map(({ id, method, path }) => ({
  id,
  method,
  pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/?]+')}(\\?|$)`),
}));

/** Longer texts would cost tests of large responses their time limit. */
const TEXT_LENGTH_MAX = 1_000_000;

interface Answered {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly text: string;
}

/** Expects that a response of an operation has a status and a body that the operation table documents. */
export function expectDocumented({ method, path, status, text }: Answered): void {
  const route = ROUTES.find((each) => each.method === method && each.pattern.test(path));
  // The router refuses a target that is too long without a body.
  if (route === undefined || status === 414 || text.length > TEXT_LENGTH_MAX) return;
  const documented = validateResponse(route.id, { status, text });
  if (!documented.ok) expect.fail(`${method} ${path} answers ${status} ${text}: ${JSON.stringify(documented.failure)}`);
}
