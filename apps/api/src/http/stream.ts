import type { Scheduler } from '@access-admin/scheduling';
import { requestClosed, reset } from './connection.ts';
import type { Refusal, RequestContext } from './env.ts';

export interface StreamDeps {
  /** One piece is made in each turn of the event loop, so that a short request waits for one piece of all streams at most. */
  readonly scheduler: Pick<Scheduler, 'yield'>;
  /** What the log line says of an error that ends the answer early; null for one that is logged by itself. */
  readonly onError: (error: unknown, trackingId: string) => Refusal | null;
}

/** Makes the body of an answer from pieces that are produced while it is sent. */
export type Stream = (
  c: RequestContext,
  pieces: AsyncIterable<string | Uint8Array>,
) => ReadableStream<Uint8Array> | null;

/**
 * A piece is produced when the one before has been taken, so that a slow reader holds one piece in memory. A reader that leaves
 * ends the pieces. An error among them resets the connection. For HEAD no piece is produced.
 */
export const createStream =
  ({ scheduler, onError }: StreamDeps): Stream =>
  (c, pieces) => {
    const iterator = pieces[Symbol.asyncIterator]();
    if (c.req.method === 'HEAD') {
      void iterator.return?.().catch(() => {});
      return null;
    }
    const state = c.get('state');
    const { promise, resolve } = Promise.withResolvers<void>();
    state.streamed = promise;
    const left = requestClosed(c);
    let isOver = false;
    const leave = () => {
      isOver = true;
      resolve();
      void iterator.return?.().catch(() => {});
    };
    // Also where no piece was ever asked for.
    if (left.aborted) leave();
    else left.addEventListener('abort', leave, { once: true });
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          try {
            await scheduler.yield(state.caller?.tenant ?? '');
            const { done, value } = await iterator.next();
            // Nothing can be added to the answer of a reader that has left meanwhile.
            if (isOver) return;
            if (done !== true) return controller.enqueue(typeof value === 'string' ? Buffer.from(value) : value);
            resolve();
            controller.close();
          } catch (error) {
            if (isOver) return;
            isOver = true;
            state.refusal = onError(error, state.trackingId) ?? state.refusal;
            resolve();
            if (c.env?.incoming === undefined) return controller.error(error);
            reset(c);
            controller.close();
          }
        },
        cancel: leave,
      },
      { highWaterMark: 0 },
    );
  };
