import { setImmediate } from 'node:timers/promises';
import type { TestApi } from './test-api.ts';

/** The pieces of an answer, as they are taken one by one. */
export async function* piecesOf(api: TestApi, path: string): AsyncGenerator<string> {
  const headers = { authorization: `Bearer ${await api.rootToken()}` };
  const { body } = await api.send(path, { headers });
  const decoder = new TextDecoder();
  for await (const piece of body ?? []) yield decoder.decode(piece, { stream: true });
}

/** Reads an answer in pieces, one a minute. */
export async function readSlowly(api: TestApi, path: string): Promise<readonly string[]> {
  const pieces: string[] = [];
  for await (const piece of piecesOf(api, path)) {
    pieces.push(piece);
    // The turn of the piece ends before time passes, which would count as its work.
    for (let turn = 0; turn < 5; turn++) await setImmediate();
    api.clock.nowMs += 60_000;
  }
  return pieces;
}
