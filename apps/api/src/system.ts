import { randomBytes, randomUUID } from 'node:crypto';

/** The clock and the randomness of the running process. */
export const system = {
  now: () => new Date(),
  elapsed: () => performance.now(),
  newId: () => randomUUID(),
  newTrackingId: () => randomUUID().replaceAll('-', ''),
  newSecret: () => randomBytes(32).toString('base64url'),
};
