import { ApiError, ConnectionError, TimeoutError } from '../../errors.ts';
import { openAttempt, type Wire } from '../../http/attempt.ts';
import type { CallOptions } from '../../http/transport.ts';

/** The public keys of the service, as `/.well-known/jwks.json` has them. */
export interface PublicKeys {
  readonly keys: readonly object[];
}

/** The state of the service, and its public keys. */
export interface Health {
  /** Whether the service is ready: one request without a token. False also if nothing answers. */
  ready(options?: CallOptions): Promise<boolean>;
  /** Reads the public keys, with which receipts and heads of the audit log are verified: one request without a token. */
  keys(options?: CallOptions): Promise<PublicKeys>;
}

/** Builds the health operations. */
export function createHealth(wire: Wire, timeoutMs: number): Health {
  const read = async (path: string, options: CallOptions | undefined) => {
    const headers = new Headers({ accept: 'application/json' });
    const limits = { timeoutMs: options?.timeoutMs ?? timeoutMs, signal: options?.signal };
    const response = await openAttempt(wire, { method: 'GET', path, headers, body: null, ...limits });
    return response.text().finally(response.close);
  };
  return {
    keys: async (options) => JSON.parse(await read('/.well-known/jwks.json', options)),
    async ready(options) {
      try {
        await read('/readyz', options);
        return true;
      } catch (error) {
        if (error instanceof ApiError || error instanceof ConnectionError || error instanceof TimeoutError)
          return false;
        throw error;
      }
    },
  };
}
