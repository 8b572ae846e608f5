import { randomBytes, randomFillSync, randomUUID } from 'node:crypto';

const RANDOM_BYTES = 4096;
const ID_BYTES = 16;

/** Returns 32 random hex digits a call; random bytes are fetched for many calls at once. */
function createRandomHex(): () => string {
  const pool = Buffer.alloc(RANDOM_BYTES);
  let used = RANDOM_BYTES;
  return () => {
    if (used === RANDOM_BYTES) {
      randomFillSync(pool);
      used = 0;
    }
    used += ID_BYTES;
    return pool.toString('hex', used - ID_BYTES, used);
  };
}

/** The clock and the randomness of the running process. */
export const system = {
  now: () => new Date(),
  elapsed: () => performance.now(),
  /** Does not keep the process running. */
  later: (task: () => void, delayMs: number) => void setTimeout(task, delayMs).unref(),
  wait: (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms)),
  newId: () => randomUUID(),
  newTrackingId: createRandomHex(),
  newBytes: (count: number) => randomBytes(count),
  newSecret: () => randomBytes(32).toString('base64url'),
};

/** The clock, the timers and the randomness of the process. */
export interface System {
  readonly now: () => Date;
  /** Monotonic, in ms. */
  readonly elapsed: () => number;
  /** Resolves after this time, in ms. */
  readonly wait: (ms: number) => Promise<void>;
  readonly newBytes: (count: number) => Uint8Array;
  readonly newId: () => string;
  readonly newSecret: () => string;
  readonly newTrackingId: () => string;
}
