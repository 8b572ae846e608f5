import { fail, ok, type Result } from '@access-admin/domain';
import { createQueue, type Queue } from './queue.ts';

export type Acquired = Result<null, NoCapacity>;

/** Why there is no capacity. */
export interface NoCapacity {
  /** Whether the tenant itself holds it; otherwise other tenants do. */
  readonly isOwn: boolean;
  readonly retryAfterSeconds: number;
}

export interface SemaphoreUsage {
  readonly held: number;
  readonly waiting: number;
  /** The tenants that hold something or wait. */
  readonly tenants: number;
}

export interface SemaphoreOptions {
  /** In units, such as bytes or pieces of work. */
  readonly capacity: number;
  /** The most that a tenant holds. If left out, it may hold as much as it leaves free. */
  readonly tenantMax?: number;
  /** How many may wait, of all tenants together. No limit if left out. */
  readonly waitingMax?: number;
  /** How long each may wait, in ms. No limit if left out. */
  readonly waitMsMax?: number;
  /**
   * Which request is refused when too many wait. `newcomer`, the default: a new one of a tenant with as many waiting as are left to others.
   * `longest`: the newest of the tenant that has most waiting, and there of the client that has most.
   */
  readonly refuses?: 'newcomer' | 'longest';
  /** Whether a tenant that has its share is refused at once instead of waiting. */
  readonly refusesAtOnce?: boolean;
  /** Monotonic, in ms. */
  readonly elapsed: () => number;
  /** Calls back after a time, unless the returned function is called before. */
  readonly after?: (ms: number, callback: () => void) => () => void;
}

/** An acquisition that waits. */
export interface Waiter {
  readonly amount: number;
  readonly client: string;
  /** Called once, with the capacity acquired or refused. */
  readonly settle: (acquired: Acquired) => void;
}

interface Queued extends Waiter {
  /** In the order of arrival. */
  readonly number: number;
}

interface Tenant {
  readonly name: string;
  held: number;
  readonly queue: Queue<Queued>;
  waitingAmount: number;
  /** When it was served last, as the number of that service. */
  served: number;
  /** A moving average of the time that a slot was held, and how many slots it includes. */
  heldMs: number;
  heldSlots: number;
}

const RETRY_SECONDS_MAX = 30;
const AVERAGE_WEIGHT = 0.1;
/** Fewer slots do not tell how long the next ones are held. */
const SLOTS_TO_EXPECT = 10;
const UNLIMITED = Number.POSITIVE_INFINITY;
export const ACQUIRED: Acquired = ok(null);

/** How much each tenant holds, and what waits. */
export class Ledger {
  readonly #options: SemaphoreOptions;
  readonly #tenants = new Map<string, Tenant>();
  #held = 0;
  #waiting = 0;
  #arrivals = 0;
  #services = 0;
  #refused = 0;

  constructor(options: SemaphoreOptions) {
    this.#options = options;
  }

  elapsed(): number {
    return this.#options.elapsed();
  }

  usage(): SemaphoreUsage {
    return { held: this.#held, waiting: this.#waiting, tenants: this.#tenants.size };
  }

  /** How often capacity was refused, at once or after a wait. */
  get refused(): number {
    return this.#refused;
  }

  /** Acquires or refuses at once; null if the acquisition has to wait. */
  acquire(name: string, amount: number): Acquired | null {
    const tenant = this.#find(name);
    if (this.#mayAcquire(tenant, amount) && tenant.queue.size === 0 && this.#nextTenant() === null) {
      this.#grant(tenant, amount);
      return ACQUIRED;
    }
    if (!this.#isRefused(tenant, amount)) return null;
    this.#refused += 1;
    const refusal = this.#noCapacity(tenant, amount);
    this.#forget(tenant);
    return refusal;
  }

  /** Lets an acquisition wait; the returned function ends its wait, and settles it as refused. */
  wait(name: string, waiter: Waiter): () => void {
    const tenant = this.#find(name);
    const { waitMsMax = UNLIMITED, after = callAfter } = this.#options;
    const cancelTimer = waitMsMax === UNLIMITED ? () => {} : after(waitMsMax, () => this.#refuse(tenant, queued));
    const queued: Queued = {
      ...waiter,
      number: this.#arrivals++,
      settle: (acquired) => {
        cancelTimer();
        waiter.settle(acquired);
      },
    };
    tenant.queue.add(queued.client, queued);
    tenant.waitingAmount += queued.amount;
    this.#waiting += 1;
    this.#serve();
    if (this.#waiting > (this.#options.waitingMax ?? UNLIMITED)) this.#refuseLongest();
    return () => this.#leave(tenant, queued);
  }

  /** Gives back an amount; `heldMs` is the time since the slot acquired it, where the slot gives back everything. */
  release(name: string, amount: number, heldMs: number | null): void {
    const tenant = this.#find(name);
    tenant.held -= amount;
    this.#held -= amount;
    if (heldMs !== null) {
      tenant.heldSlots += 1;
      tenant.heldMs += (heldMs - tenant.heldMs) * Math.max(1 / tenant.heldSlots, AVERAGE_WEIGHT);
    }
    this.#forget(tenant);
    this.#serve();
  }

  #find(name: string): Tenant {
    const known = this.#tenants.get(name);
    if (known !== undefined) return known;
    const tenant: Tenant = {
      name,
      held: 0,
      queue: createQueue(),
      waitingAmount: 0,
      served: 0,
      heldMs: 0,
      heldSlots: 0,
    };
    this.#tenants.set(name, tenant);
    return tenant;
  }

  #forget(tenant: Tenant): void {
    if (tenant.held === 0 && tenant.queue.size === 0) this.#tenants.delete(tenant.name);
  }

  #grant(tenant: Tenant, amount: number): void {
    tenant.held += amount;
    tenant.served = ++this.#services;
    this.#held += amount;
  }

  /** False if it does not wait any more. */
  #remove(tenant: Tenant, queued: Queued): boolean {
    if (!tenant.queue.remove(queued.client, queued)) return false;
    tenant.waitingAmount -= queued.amount;
    this.#waiting -= 1;
    return true;
  }

  #leave(tenant: Tenant, queued: Queued): void {
    if (!this.#remove(tenant, queued)) return;
    queued.settle(this.#noCapacity(tenant, queued.amount));
    this.#forget(tenant);
    this.#serve();
  }

  #refuse(tenant: Tenant, queued: Queued): void {
    this.#refused += 1;
    this.#leave(tenant, queued);
  }

  #refuseLongest(): void {
    let refused: { readonly tenant: Tenant; readonly newest: Queued } | null = null;
    for (const tenant of this.#tenants.values()) {
      const newest = tenant.queue.newestOfLongest();
      if (newest === null) continue;
      const longer = tenant.queue.size - (refused?.tenant.queue.size ?? 0);
      // Of equally long queues, the newcomer's comes first.
      if (longer > 0 || (longer === 0 && newest.number > (refused?.newest.number ?? 0))) refused = { tenant, newest };
    }
    if (refused !== null) this.#refuse(refused.tenant, refused.newest);
  }

  #mayAcquire(tenant: Tenant, amount: number): boolean {
    return mayHold(tenant.held, amount, this.#options.capacity - this.#held, this.#options.tenantMax);
  }

  /** The tenant to be served next. One that holds nothing is not overtaken, however much it waits for. */
  #nextTenant(): Tenant | null {
    if (this.#waiting === 0) return null;
    let next: Tenant | null = null;
    for (const tenant of this.#tenants.values()) {
      const first = tenant.queue.first();
      if (first === null || !(tenant.held === 0 || this.#mayAcquire(tenant, first.amount))) continue;
      if (next === null || isBefore(tenant, next)) next = tenant;
    }
    return next;
  }

  #serve(): void {
    for (;;) {
      const tenant = this.#nextTenant();
      const first = tenant?.queue.first() ?? null;
      if (tenant === null || first === null || !this.#mayAcquire(tenant, first.amount)) return;
      this.#remove(tenant, first);
      this.#grant(tenant, first.amount);
      first.settle(ACQUIRED);
    }
  }

  #isRefused(tenant: Tenant, amount: number): boolean {
    const { capacity, waitingMax = UNLIMITED, refuses = 'newcomer', refusesAtOnce = false } = this.#options;
    return (
      amount > capacity ||
      (refusesAtOnce && tenant.held + amount > equalShare(capacity, this.#tenants.size)) ||
      (refuses === 'newcomer' && !mayHold(tenant.queue.size, 1, waitingMax - this.#waiting))
    );
  }

  #noCapacity(tenant: Tenant, amount: number): Acquired {
    const seconds = Math.ceil(this.#expectedMs(tenant, amount) / 1000);
    return fail({
      isOwn: tenant.held > 0 || tenant.queue.size > 0,
      retryAfterSeconds: Math.min(Math.max(seconds, 1), RETRY_SECONDS_MAX),
    });
  }

  /** How long a further acquisition of the tenant would wait, by the time that its slots were held of late. */
  #expectedMs(tenant: Tenant, amount: number): number {
    if (tenant.heldSlots < SLOTS_TO_EXPECT) return 0;
    const share = equalShare(this.#options.capacity, this.#tenants.size);
    return ((tenant.waitingAmount + amount) / share) * tenant.heldMs;
  }
}

/** Whether a tenant may hold an amount more: its first whenever that is free, then up to its bound, or as much as it leaves free. */
const mayHold = (held: number, amount: number, free: number, max?: number): boolean =>
  amount <= free && (held === 0 || held + amount <= (max ?? free - amount));

/** What each tenant holds when all of them hold as much as they may. */
const equalShare = (capacity: number, tenants: number): number => capacity / (tenants + 1);

/** The one that holds the least, then the one that was served longest ago, then the one that arrived first. */
function isBefore(one: Tenant, other: Tenant): boolean {
  if (one.held !== other.held) return one.held < other.held;
  if (one.served !== other.served) return one.served < other.served;
  return arrivalOf(one) < arrivalOf(other);
}

const arrivalOf = ({ queue }: Tenant): number => queue.first()?.number ?? UNLIMITED;

function callAfter(ms: number, callback: () => void): () => void {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
}
