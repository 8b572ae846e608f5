import type { Lane, Turns } from './turns.ts';

/** Resolves when work of the tenant may start, by the time that the work of all tenants has taken. */
export type AwaitStart = (tenant: string) => Promise<void>;

export interface Starts {
  readonly awaitStart: AwaitStart;
  /** From now on everything starts at once, as when the worker stops. */
  end(): void;
}

export interface StartsDeps {
  readonly turns: Pick<Turns, 'add' | 'remove'>;
  /** Is called when something can start. */
  readonly onWork: () => void;
}

/**
 * Lets short work start that waits for others most of its time, such as deliveries, one start a step. What it does before it
 * waits counts as time of its tenant.
 */
export function createStarts({ turns, onWork }: StartsDeps): Starts {
  const queues = new Map<string, { readonly lane: Lane; readonly waiting: (() => void)[] }>();
  let isEnded = false;

  const open = (tenant: string) => {
    const waiting: (() => void)[] = [];
    const lane: Lane = {
      tenant,
      charge: () => {},
      step: async () => {
        waiting.shift()?.();
        if (waiting.length > 0) return 'more';
        queues.delete(tenant);
        return 'idle';
      },
    };
    const queue = { lane, waiting };
    queues.set(tenant, queue);
    return queue;
  };
  return {
    awaitStart: (tenant) =>
      new Promise((resolve) => {
        if (isEnded) return resolve();
        const { lane, waiting } = queues.get(tenant) ?? open(tenant);
        waiting.push(resolve);
        turns.add(lane);
        onWork();
      }),
    end: () => {
      isEnded = true;
      for (const { lane, waiting } of queues.values()) {
        turns.remove(lane);
        for (const resolve of waiting) resolve();
      }
      queues.clear();
    },
  };
}
