import type { AccessModelInput } from '@access-admin/client';
import { BROKEN_POLICY, changingIdentity, GRANT } from '../load/company.ts';
import { CountedWrites } from '../load/counted-writes.ts';
import type { Customers } from '../load/customers.ts';
import type { RegisteredClient } from '../service/open-fleet.ts';
import type { Balancer } from './balancer.ts';

const BASE = 'http://balancer.invalid';

export const bareIdentities = (count: number): readonly AccessModelInput[] =>
  Array.from({ length: count }, (_, at) => changingIdentity(`i-bare-${at}`, 0));

interface BarePlan {
  readonly callers: number;
  readonly balancer: Pick<Balancer, 'fetch'>;
  readonly client: Pick<RegisteredClient, 'id' | 'secret'>;
}

export type BareCallers = ReturnType<typeof startBareCallers>;

/**
 * Callers without the SDK, who repeat nothing. Each requests a token, writes, predicts, checks and reads, again and again.
 * They note what was acknowledged in the ledger of the customers, whose audit looks for it.
 */
export function startBareCallers({ ledger, countedWrites }: Customers, { callers, balancer, client }: BarePlan) {
  const failures: string[] = [];
  let isStopping = false;
  let answered = 0;

  /** The parsed answer; null if there is none or if it is not 2xx, which is a failure. */
  const call = async (path: string, init: RequestInit) => {
    const what = `${init.method ?? 'GET'} ${path}`;
    try {
      const response = await balancer.fetch(BASE + path, init);
      const text = await response.text();
      if (!response.ok) throw new Error(`${response.status} ${text.slice(0, 200)}`);
      answered += 1;
      return JSON.parse(text);
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
      failures.push(`${what}: ${error}${cause}`);
      return null;
    }
  };

  const work = async (number: number) => {
    const id = `i-bare-${number}`;
    const name = new CountedWrites(`${id} name`);
    countedWrites.push(name);
    const form = { grant_type: 'client_credentials', client_id: client.id, client_secret: client.secret };
    for (let round = 0; !isStopping; round++) {
      const token = await call('/oauth/token', { method: 'POST', body: new URLSearchParams(form) });
      const send = (path: string, body?: unknown, type = 'application/json') =>
        call(path, {
          ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
          headers: { authorization: `Bearer ${token?.access_token}`, 'content-type': type },
        });
      await name
        .write(async (next) => {
          const imported = await send('/access-model/v1/import', changingIdentity(id, next), 'application/x-ndjson');
          if (imported === null) throw new Error('not acknowledged');
        })
        // The call has counted it.
        .catch(() => {});
      const predicted = await send('/sod-violations/v1/predict', GRANT);
      const violated = predicted?.violationContexts.map(({ policy }: { policy: { id: string } }) => policy.id).join();
      if (predicted !== null && violated !== BROKEN_POLICY) failures.push(`a prediction names ${violated}`);
      const mark = `bare ${number}/${round}`;
      const check = await send('/sod-violations/v1/check', { ...GRANT, clientMetadata: { mark } });
      if (check === null) continue;
      ledger.acknowledge(check.requestId, mark);
      const read = await send(`/sod-violations/v1/check/${check.requestId}`);
      if (read !== null) ledger.observe(check.requestId, read);
    }
  };
  const working = Promise.all(Array.from({ length: callers }, (_, number) => work(number)));
  return {
    failures: failures as readonly string[],
    /** Calls that were answered with 2xx. */
    get answered() {
      return answered;
    },
    /** Resolves when the last call has ended. */
    stop: async () => {
      isStopping = true;
      await working;
    },
  };
}
