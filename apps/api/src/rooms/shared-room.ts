import type { MaybePromise } from '../event-loop/maybe-promise.ts';
import { RoomLedger, type RoomOptions, type RoomUsage, type Taken } from './ledger.ts';

/** Room that all tenants of a process share, in bytes or in places. */
export interface SharedRoom {
  /** Opens a share of a tenant, which holds nothing yet. A take that waits ends when the caller leaves. */
  open(tenant: string, left?: () => AbortSignal): RoomShare;
  usage(): RoomUsage;
  /** How many takes were refused, without those whose caller left. */
  refused(): number;
}

/** What one piece of work of a tenant holds of a room. */
export interface RoomShare {
  /** Takes room: at once where the tenant's part allows it, otherwise in turn. A share has one waiting take at most. */
  take(amount: number): MaybePromise<Taken>;
  /** Gives back an amount, by default everything, and then ends a take that waits. */
  release(amount?: number): void;
}

/**
 * A tenant may hold as much as it leaves free: alone at most half of the room, beside others that hold all they may an equal part,
 * and one that holds nothing may take whatever is free. So no tenant finds a room that another one has filled. Tenants that wait
 * are served as room becomes free, the one that holds the least first; the number of waiting takes is bounded in the same way.
 */
export function createSharedRoom(options: RoomOptions): SharedRoom {
  const ledger = new RoomLedger(options);
  return {
    open: (tenant, left) => new Share(ledger, tenant, left),
    usage: () => ledger.usage(),
    refused: () => ledger.refused,
  };
}

class Share implements RoomShare {
  readonly #ledger: RoomLedger;
  readonly #tenant: string;
  readonly #left: (() => AbortSignal) | undefined;
  #held = 0;
  #sinceMs = 0;
  #leave: (() => void) | null = null;

  constructor(ledger: RoomLedger, tenant: string, left?: () => AbortSignal) {
    this.#ledger = ledger;
    this.#tenant = tenant;
    this.#left = left;
  }

  take(amount: number): MaybePromise<Taken> {
    const taken = this.#ledger.take(this.#tenant, amount);
    if (taken === null) return this.#wait(amount);
    if (taken.ok) this.#add(amount);
    return taken;
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

  #wait(amount: number): Promise<Taken> {
    const { promise, resolve } = Promise.withResolvers<Taken>();
    const left = this.#left?.();
    const leave = () => this.#leave?.();
    let isSettled = false;
    const settle = (taken: Taken) => {
      isSettled = true;
      this.#leave = null;
      left?.removeEventListener('abort', leave);
      // At once: the share may be released before the caller learns the outcome.
      if (taken.ok) this.#add(amount);
      resolve(taken);
    };
    left?.addEventListener('abort', leave, { once: true });
    const cancel = this.#ledger.wait(this.#tenant, { amount, settle });
    if (!isSettled) this.#leave = cancel;
    if (left?.aborted) leave();
    return promise;
  }
}
