import { type Acquired, Ledger, type NoCapacity, type SemaphoreOptions, type SemaphoreUsage } from './ledger.ts';

/** Capacity that the tenants of a process share, in units: few pieces of work at a time, or few bytes. */
export interface Semaphore {
  /** Opens a slot of a tenant, which holds nothing yet. */
  open(tenant: string, options?: SlotOptions): Slot;
  usage(): SemaphoreUsage;
  /** How often capacity was refused, without those that left. */
  refused(): number;
}

export interface SlotOptions {
  /** An acquisition that waits ends as refused when this is aborted. Called when one begins to wait. */
  readonly signal?: () => AbortSignal;
  /** Whose work it is within the tenant: clients of a tenant are served in turn. */
  readonly client?: string;
}

/** What one piece of work of a tenant holds of a semaphore. */
export interface Slot {
  /** Acquires units: at once where the tenant's share allows it, otherwise in turn. One acquisition of a slot waits at most. */
  acquire(amount?: number): Acquired | Promise<Acquired>;
  /** Gives back units, by default all, and then ends an acquisition that waits. */
  release(amount?: number): void;
}

/**
 * Without a `tenantMax`, a tenant may hold as much as it leaves free: alone at most half, beside others that hold all they may an
 * equal share. With or without it, a tenant that holds nothing may acquire whatever is free. So no tenant finds the capacity held
 * by another alone. What waits is served as units become free: the tenant that holds the least first, and of those the one that
 * was served longest ago. How many wait is limited in the same way.
 */
export function createSemaphore(options: SemaphoreOptions): Semaphore {
  const ledger = new Ledger(options);
  return {
    open: (tenant, slotOptions = {}) => new LedgerSlot(ledger, tenant, slotOptions),
    usage: () => ledger.usage(),
    refused: () => ledger.refused,
  };
}

/** Does work with one unit of a semaphore. Throws the error of `refusal` where there is no capacity. */
export async function withSlot<T>(
  slot: Slot,
  refusal: (noCapacity: NoCapacity) => Error,
  work: () => Promise<T>,
): Promise<T> {
  const acquired = await slot.acquire();
  if (!acquired.ok) throw refusal(acquired.failure);
  try {
    return await work();
  } finally {
    slot.release();
  }
}

class LedgerSlot implements Slot {
  readonly #ledger: Ledger;
  readonly #tenant: string;
  readonly #options: SlotOptions;
  #held = 0;
  #sinceMs = 0;
  #leave: (() => void) | null = null;

  constructor(ledger: Ledger, tenant: string, options: SlotOptions) {
    this.#ledger = ledger;
    this.#tenant = tenant;
    this.#options = options;
  }

  acquire(amount = 1): Acquired | Promise<Acquired> {
    const acquired = this.#ledger.acquire(this.#tenant, amount);
    if (acquired === null) return this.#wait(amount);
    if (acquired.ok) this.#add(amount);
    return acquired;
  }

  release(amount = this.#held): void {
    const given = Math.min(amount, this.#held);
    if (given === this.#held) this.#leave?.();
    if (given === 0) return;
    this.#held -= given;
    this.#ledger.release(this.#tenant, given, this.#held === 0 ? this.#ledger.elapsed() - this.#sinceMs : null);
  }

  #add(amount: number): void {
    if (this.#held === 0) this.#sinceMs = this.#ledger.elapsed();
    this.#held += amount;
  }

  #wait(amount: number): Promise<Acquired> {
    const { promise, resolve } = Promise.withResolvers<Acquired>();
    const { client = '' } = this.#options;
    const signal = this.#options.signal?.();
    const leave = () => this.#leave?.();
    let isSettled = false;
    const settle = (acquired: Acquired) => {
      isSettled = true;
      this.#leave = null;
      signal?.removeEventListener('abort', leave);
      // At once: the slot may be released before the caller learns the outcome.
      if (acquired.ok) this.#add(amount);
      resolve(acquired);
    };
    signal?.addEventListener('abort', leave, { once: true });
    const cancel = this.#ledger.wait(this.#tenant, { amount, client, settle });
    if (!isSettled) this.#leave = cancel;
    if (signal?.aborted) leave();
    return promise;
  }
}
