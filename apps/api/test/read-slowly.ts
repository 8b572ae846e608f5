import { setImmediate } from 'node:timers/promises';
import type { TestApi } from './test-api.ts';

/** Reads an answer in pieces, one a minute. */
export async function readSlowly(api: TestApi, target: string): Promise<readonly string[]> {
  const authorization = `Bearer ${await api.rootToken()}`;
  const { body } = await api.send(target, { headers: { authorization } });
  const pieces: string[] = [];
  for await (const piece of body ?? []) {
    pieces.push(Buffer.from(piece).toString());
    // The turn of the piece ends before time passes, which would count as its work.
    for (let turn = 0; turn < 5; turn++) await setImmediate();
    api.clock.nowMs += 60_000;
  }
  return pieces;
}
