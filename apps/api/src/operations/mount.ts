import { OPERATIONS, type Operation } from '@access-admin/contract';
import { Hono } from 'hono';
import type { ApiEnv, RequestContext } from '../env.ts';
import { type Answer, route } from '../routes/route.ts';
import { streamJson } from '../streaming/stream-json.ts';
import type { OperationHandler, OperationHandlers, OperationResult } from './operation.ts';

/** Serves the features that are not converted yet; goes with the last of them. */
export function createOperations(handlers: Partial<OperationHandlers>): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  for (const operation of OPERATIONS) {
    // biome-ignore lint/plugin/type-assertion: The handler of an operation takes what the same operation parses.
    const handler = handlers[operation.id] as OperationHandler | undefined;
    if (handler === undefined) continue;
    app.on(
      ...route(operation, async (c, input): Promise<Answer> => {
        // biome-ignore lint/plugin/type-assertion: As above.
        const result = await handler({ c, operation, ...input } as never);
        return result.ok ? respond(c, operation, result.value) : result;
      }),
    );
  }
  return app;
}

function respond(
  c: RequestContext,
  { response: { status, mediaType } }: Operation,
  result: OperationResult,
): Response | Promise<Response> {
  if ('response' in result) return result.response;
  const { headers = {} } = result;
  if ('isEmpty' in result) return c.body(null, 204, headers);
  if (mediaType === null) return c.body(null, status, headers);
  const all = { 'content-type': mediaType, ...headers };
  if ('stream' in result) return new Response(result.stream, { headers: all });
  const text = 'json' in result ? JSON.stringify(result.json) : result.text;
  if (status === 200) return streamJson(c, text, all);
  if (typeof text !== 'string') throw new Error('Only a text of status 200 may be long.');
  return c.body(text, status === 204 ? 200 : status, all);
}
