import { fail, ok, type Result } from '@access-admin/domain';
import { equalPart, mayHold } from './part.ts';

export type Taken = Result<null, RoomFull>;

/** Why there is no room. */
export interface RoomFull {
  /** Whether the tenant itself takes it; otherwise other tenants do. */
  readonly isOwn: boolean;
  readonly retryAfterSeconds: number;
}

export interface RoomUsage {
  readonly held: number;
  readonly waiting: number;
  /** The tenants that hold something or wait. */
  readonly tenants: number;
}

export interface RoomOptions {
  readonly size: number;
  /** The takes that wait, of all tenants together. */
  readonly waitingMax: number;
  readonly waitMsMax: number;
  /** Whether a tenant that has its part is refused at once instead of waiting. */
  readonly refusesAtOnce?: boolean;
  /** Monotonic, in ms. */
  readonly elapsed: () => number;
  /** Calls back after a time, unless the returned function is called before. */
  readonly after?: (ms: number, callback: () => void) => () => void;
  /** The time of work that a tenant has had: of tenants that hold equally much, the one with the least is served first. */
  readonly workedMs?: (tenant: string) => number;
}

/** A take that waits. */
export interface Waiter {
  readonly amount: number;
  /** Called once, with the room taken or refused. */
  readonly settle: (taken: Taken) => void;
}

interface Tenant {
  readonly name: string;
  held: number;
  /** By their numbers, in the order of their arrival. */
  readonly waiting: Map<number, Waiter>;
  waitingAmount: number;
  /** A moving average of the time that a share was held, and how many shares it includes. */
  heldMs: number;
  heldShares: number;
}

const RETRY_SECONDS_MAX = 30;
const AVERAGE_WEIGHT = 0.1;
/** Fewer shares do not tell how long the next ones are held. */
const SHARES_TO_EXPECT = 10;
export const TAKEN: Taken = ok(null);

/** How much each tenant holds, and the requests that wait. */
export class RoomLedger {
  readonly #options: RoomOptions;
  readonly #tenants = new Map<string, Tenant>();
  #held = 0;
  #waiting = 0;
  #takes = 0;
  #refused = 0;

  constructor(options: RoomOptions) {
    this.#options = options;
  }

  elapsed(): number {
    return this.#options.elapsed();
  }

  usage(): RoomUsage {
    return { held: this.#held, waiting: this.#waiting, tenants: this.#tenants.size };
  }

  /** The takes that were refused, at once or after their wait. */
  get refused(): number {
    return this.#refused;
  }

  /** Takes or refuses at once; null if the take has to wait. */
  take(name: string, amount: number): Taken | null {
    const tenant = this.#find(name);
    if (this.#mayTake(tenant, amount) && tenant.waiting.size === 0 && this.#firstInLine() === null) {
      this.#grant(tenant, amount);
      return TAKEN;
    }
    if (!this.#isRefused(tenant, amount)) return null;
    const refusal = this.#full(tenant, amount);
    this.#refused += 1;
    this.#forget(tenant);
    return refusal;
  }

  /** Puts a take in line; the returned function takes it out again, and settles it as refused. */
  wait(name: string, waiter: Waiter): () => void {
    const tenant = this.#find(name);
    const number = this.#takes++;
    const leave = () => {
      if (this.#remove(tenant, number) === null) return;
      waiter.settle(this.#full(tenant, waiter.amount));
      this.#forget(tenant);
      this.#serve();
    };
    const cancelTimer = (this.#options.after ?? callAfter)(this.#options.waitMsMax, () => {
      this.#refused += 1;
      leave();
    });
    const settle = (taken: Taken) => {
      cancelTimer();
      waiter.settle(taken);
    };
    tenant.waiting.set(number, { amount: waiter.amount, settle });
    tenant.waitingAmount += waiter.amount;
    this.#waiting += 1;
    this.#serve();
    return () => {
      cancelTimer();
      leave();
    };
  }

  /** Gives back an amount; `heldMs` is the time since the share took it, where the share gives back everything. */
  release(name: string, amount: number, heldMs: number | null): void {
    const tenant = this.#find(name);
    tenant.held -= amount;
    this.#held -= amount;
    if (heldMs !== null) {
      tenant.heldShares += 1;
      tenant.heldMs += (heldMs - tenant.heldMs) * Math.max(1 / tenant.heldShares, AVERAGE_WEIGHT);
    }
    this.#forget(tenant);
    this.#serve();
  }

  #find(name: string): Tenant {
    const known = this.#tenants.get(name);
    if (known !== undefined) return known;
    const tenant: Tenant = { name, held: 0, waiting: new Map(), waitingAmount: 0, heldMs: 0, heldShares: 0 };
    this.#tenants.set(name, tenant);
    return tenant;
  }

  #forget(tenant: Tenant): void {
    if (tenant.held === 0 && tenant.waiting.size === 0) this.#tenants.delete(tenant.name);
  }

  #grant(tenant: Tenant, amount: number): void {
    tenant.held += amount;
    this.#held += amount;
  }

  #remove(tenant: Tenant, number: number): Waiter | null {
    const waiter = tenant.waiting.get(number);
    if (waiter === undefined) return null;
    tenant.waiting.delete(number);
    tenant.waitingAmount -= waiter.amount;
    this.#waiting -= 1;
    return waiter;
  }

  #mayTake(tenant: Tenant, amount: number): boolean {
    return mayHold(tenant.held, amount, this.#options.size - this.#held);
  }

  /** The tenant to be served next. One that holds nothing is not overtaken, however much it waits for. */
  #firstInLine(): Tenant | null {
    if (this.#waiting === 0) return null;
    let best: Tenant | null = null;
    for (const tenant of this.#tenants.values()) {
      const amount = firstAmountOf(tenant);
      if (amount === null || !(tenant.held === 0 || this.#mayTake(tenant, amount))) continue;
      if (best === null || this.#isBefore(tenant, best)) best = tenant;
    }
    return best;
  }

  #isBefore(one: Tenant, other: Tenant): boolean {
    if (one.held !== other.held) return one.held < other.held;
    const { workedMs = () => 0 } = this.#options;
    const worked = workedMs(one.name);
    const otherWorked = workedMs(other.name);
    return worked === otherWorked ? firstNumberOf(one) < firstNumberOf(other) : worked < otherWorked;
  }

  #serve(): void {
    for (;;) {
      const tenant = this.#firstInLine();
      if (tenant === null) return;
      const [number, waiter] = firstOf(tenant) ?? [];
      if (number === undefined || waiter === undefined || !this.#mayTake(tenant, waiter.amount)) return;
      this.#remove(tenant, number);
      this.#grant(tenant, waiter.amount);
      waiter.settle(TAKEN);
    }
  }

  #isRefused(tenant: Tenant, amount: number): boolean {
    const { size, waitingMax, refusesAtOnce = false } = this.#options;
    return (
      amount > size ||
      (refusesAtOnce && tenant.held + amount > equalPart(size, this.#tenants.size)) ||
      !mayHold(tenant.waiting.size, 1, waitingMax - this.#waiting)
    );
  }

  #full(tenant: Tenant, amount: number): Taken {
    const seconds = Math.ceil(this.#expectedMs(tenant, amount) / 1000);
    return fail({
      isOwn: tenant.held > 0 || tenant.waiting.size > 0,
      retryAfterSeconds: Math.min(Math.max(seconds, 1), RETRY_SECONDS_MAX),
    });
  }

  /** How long a further take of the tenant would wait, by the time that its shares were held of late. */
  #expectedMs(tenant: Tenant, amount: number): number {
    if (tenant.heldShares < SHARES_TO_EXPECT) return 0;
    const part = equalPart(this.#options.size, this.#tenants.size);
    return ((tenant.waitingAmount + amount) / part) * tenant.heldMs;
  }
}

const firstOf = ({ waiting }: Tenant) => waiting.entries().next().value ?? null;
const firstNumberOf = (tenant: Tenant): number => firstOf(tenant)?.[0] ?? Number.POSITIVE_INFINITY;
const firstAmountOf = (tenant: Tenant): number | null => firstOf(tenant)?.[1].amount ?? null;

function callAfter(ms: number, callback: () => void): () => void {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
}
