import { createHash } from 'node:crypto';

/** Derives keys at once, or holds all derivations from `hold` to `release`. */
export function createHeldDerivation() {
  let held: PromiseWithResolvers<void> | null = null;
  const running = { now: 0, most: 0, all: 0 };
  /** All secrets, in the order of their derivations. */
  const secrets: string[] = [];
  const deriveKey = async (secret: string, salt: Buffer): Promise<Buffer> => {
    running.now += 1;
    running.all += 1;
    secrets.push(secret);
    running.most = Math.max(running.most, running.now);
    await held?.promise;
    running.now -= 1;
    return createHash('sha256').update(salt).update(secret).digest();
  };
  const hold = () => {
    held = Promise.withResolvers();
  };
  return { deriveKey, running, secrets, hold, release: () => held?.resolve() };
}
