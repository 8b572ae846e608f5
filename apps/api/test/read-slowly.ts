import { setImmediate } from 'node:timers/promises';
import { bareExchange } from './bare-exchange.ts';
import type { TestApi } from './test-api.ts';

/** Reads an answer in pieces, one a minute. */
export async function readSlowly(api: TestApi, target: string): Promise<readonly string[]> {
  const authorization = `Bearer ${await api.rootToken()}`;
  const header = (name: string) => (name === 'authorization' ? authorization : null);
  const { body } = await api.app.answer({ ...bareExchange(), target, header });
  const pieces: string[] = [];
  for await (const piece of body as AsyncIterable<string>) {
    pieces.push(piece);
    // The turn of the piece ends before time passes, which would count as its work.
    for (let turn = 0; turn < 5; turn++) await setImmediate();
    api.clock.nowMs += 60_000;
  }
  return pieces;
}
