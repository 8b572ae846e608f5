import { ApiError, ConnectionError, TimeoutError } from '../../errors.ts';
import { openAttempt, type Wire } from '../../http/attempt.ts';
import type { CallOptions } from '../../http/transport.ts';

/** The state of the service. */
export interface Health {
  /** Whether the service is ready: one request without a token. False also if nothing answers. */
  ready(options?: CallOptions): Promise<boolean>;
}

/** Builds the health operations. */
export function createHealth(wire: Wire, timeoutMs: number): Health {
  return {
    async ready(options) {
      const headers = new Headers({ accept: 'application/json' });
      const limits = { timeoutMs: options?.timeoutMs ?? timeoutMs, signal: options?.signal };
      try {
        const response = await openAttempt(wire, { method: 'GET', path: '/readyz', headers, body: null, ...limits });
        await response.text().finally(response.close);
        return true;
      } catch (error) {
        if (error instanceof ApiError || error instanceof ConnectionError || error instanceof TimeoutError)
          return false;
        throw error;
      }
    },
  };
}
