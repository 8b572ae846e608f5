import { setTimeout as delay } from 'node:timers/promises';
import { type AccessAdminClient, ApiError, type NewAccess, NotFoundError, TokenError } from '@access-admin/client';
import { createRandom, drawOne, type Random } from '../campaign/random.ts';
import { type CheckLedger, createCheckLedger } from './check-ledger.ts';
import {
  capabilitiesOf,
  changingIdentity,
  changingPolicy,
  GRANT,
  LONG_GRANT,
  UI_SETTINGS,
  uiUpdate,
} from './company.ts';
import { CountedWrites } from './counted-writes.ts';

export interface CustomerPlan {
  readonly seed: number;
  /** The longest pause between two calls. */
  readonly pauseMs: number;
  /** The longest pause of every third customer. */
  readonly longPauseMs?: number;
  /** Writes of 100 calls; the rest are checks and reads of them. */
  readonly writes: number;
  /** The most checks that a customer sends at once, 12 by default. */
  readonly burst?: number;
  /** The grant to check, which violates `p-vendor` only. */
  readonly grant?: NewAccess;
}

const WRITERS = ['capabilities', 'identity', 'policy', 'client', 'setting'] as const;

/** The answers that customers received. */
const createBook = () => ({
  ledger: createCheckLedger(),
  /** By what an export contains; each has one writer. */
  countedWrites: [] as CountedWrites[],
  /** Versions of the policy set that imports were answered with. */
  versions: [] as number[],
  /** Ids of registered clients. */
  registered: [] as string[],
  /** Calls that succeeded. */
  answered: 0,
  /** Errors of the other calls. */
  failures: [] as Error[],
});
type Book = ReturnType<typeof createBook>;

/** The records that the customers write to, to be imported before they start. */
export const customerRecords = (count: number) =>
  Array.from({ length: count }, (_, at) => [changingIdentity(`i-${at}`, 0), changingPolicy(`p-${at}`, 0)]).flat();

export type Customers = ReturnType<typeof startCustomers>;

/** Starts one customer on each client; each makes one call after the other and records the answers. */
export function startCustomers(clients: readonly AccessAdminClient[], plan: CustomerPlan) {
  const book = createBook();
  const stopping = new AbortController();
  const underway = new Set<Promise<void>>();
  const work = async (client: AccessAdminClient, number: number): Promise<void> => {
    const random = createRandom(plan.seed * 1000 + number);
    const act = createCustomer(client, { book, number, random, plan });
    const { pauseMs, longPauseMs = pauseMs } = plan;
    const ownPauseMs = number % 3 === 2 ? longPauseMs : pauseMs;
    const call = async () => {
      try {
        await act();
        book.answered += 1;
      } catch (error) {
        book.failures.push(error instanceof Error ? error : new Error(String(error)));
      }
    };
    while (!stopping.signal.aborted) {
      const calling = call();
      underway.add(calling);
      await calling;
      underway.delete(calling);
      await delay(random(ownPauseMs + 1));
    }
  };
  const working = Promise.all(clients.map(work));
  /** Stops the customers; resolves when the last call has ended. */
  const stop = async () => {
    stopping.abort();
    await working;
  };
  /** Resolves when the calls that are under way have ended, with all their repeats. */
  const untilEnded = async () => {
    await Promise.all(underway);
  };
  return Object.assign(book, { stop, untilEnded });
}

interface CustomerKit {
  readonly book: Book;
  readonly number: number;
  readonly random: Random;
  readonly plan: CustomerPlan;
}

/** Draws and makes one call of a customer. */
function createCustomer(client: AccessAdminClient, { book, number, random, plan }: CustomerKit): () => Promise<void> {
  const { writes, burst = 12, grant = GRANT } = plan;
  const write = createWriter(client, number, book);
  const own: string[] = [];
  let marks = 0;

  const checkOnce = async () => {
    const mark = `${number}/${marks++}`;
    const { requestId } = await client.sodViolations.check({ ...grant, clientMetadata: { mark } });
    book.ledger.acknowledge(requestId, mark);
    own.push(requestId);
  };
  // Several at once, so that a worker claims several together.
  const check = async () => {
    const ends = await Promise.allSettled(Array.from({ length: 1 + random(burst) }, checkOnce));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  };
  const read = async () => {
    // Often one of the latest checks, which may be in progress.
    const back = random(2) === 0 ? random(Math.min(own.length, 5)) : random(own.length);
    const requestId = own[own.length - 1 - back] ?? '';
    book.ledger.observe(requestId, await readCheck(client, requestId));
  };
  return async () => {
    const drawn = random(100);
    if (drawn < writes) return write(drawOne(random, WRITERS));
    if (drawn % 3 === 0 && own.length > 0) return read();
    if (drawn % 7 === 0) return void (await client.sodViolations.predict(grant));
    return check();
  };
}

function createWriter(
  client: AccessAdminClient,
  number: number,
  { countedWrites, versions, registered }: Book,
): (kind: (typeof WRITERS)[number]) => Promise<void> {
  const setting = UI_SETTINGS[number];
  const register = (name: string) => {
    const made = new CountedWrites(name);
    countedWrites.push(made);
    return made;
  };
  const name = register(`i-${number} name`);
  const capabilities = register(`i-${number} capabilities`);
  const policy = register(`p-${number}`);
  const ui = setting === undefined ? null : register(setting);
  return async (kind) => {
    if (kind === 'capabilities')
      return capabilities.write((next) => client.authUsers.setCapabilities(`i-${number}`, capabilitiesOf(next)));
    if (kind === 'identity')
      return name.write((next) => client.accessModel.import([changingIdentity(`i-${number}`, next)]));
    if (kind === 'policy')
      return policy.write(async (next) => {
        versions.push((await client.accessModel.import([changingPolicy(`p-${number}`, next)])).policySetVersion);
      });
    if (kind === 'setting' && ui !== null && setting !== undefined)
      return ui.write((next) => client.uiMetadata.set(uiUpdate(setting, next)));
    const { id } = await client.oauthClients.create({ name: `of ${number}`, scopes: ['sod-policies:read'] });
    registered.push(id);
  };
}

/** Sends checks with a long grant, at the same time, to these clients in turn; the ledger records the acknowledged ones. */
export const sendBurst = (clients: readonly AccessAdminClient[], ledger: CheckLedger, size: number) =>
  Promise.allSettled(
    Array.from({ length: size }, async (_, at) => {
      const mark = `${performance.now()}+${at}`;
      const { requestId } = await drawOne(() => at % clients.length, clients).sodViolations.check({
        ...LONG_GRANT,
        clientMetadata: { mark },
      });
      ledger.acknowledge(requestId, mark);
    }),
  );

/** Null if there is no such check. */
export async function readCheck(client: AccessAdminClient, requestId: string, waitSeconds = 0) {
  try {
    return await client.sodViolations.getCheck(requestId, { waitSeconds });
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}

/** Whether the service refused a valid call or failed on it; being unreachable does not count. */
export function isRefusal(error: unknown): boolean {
  if (error instanceof TokenError) return isRefusal(error.cause);
  return error instanceof ApiError && error.status !== 503;
}
