import type { CloudEvent } from '@access-admin/contract';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../src/index.ts';
import { openStage } from './fixtures.ts';
import { hangUp, type Reaction, refusal } from './scripted-server.ts';

const padded = (sequence: number) => String(sequence).padStart(20, '0');
const message = (sequence: number) =>
  `id: ${padded(sequence)}\ndata: ${JSON.stringify({ sequence: padded(sequence) })}\n\n`;

/** Sends a text, and ends the response or its connection. */
const sse =
  (text: string, end: 'orderly' | 'broken' = 'orderly'): Reaction =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (end === 'orderly') response.end(text);
    else response.write(text, () => response.socket?.destroy());
  };

test('the last event is read without the events before it', async () => {
  await using stage = await openStage();
  stage.server.script('GET /events/v1', (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-last-sequence': padded(1_000_000) });
    // It goes on for as long as its reader stays.
    response.write(message(1));
  });
  expect(await stage.admin.events.last()).toBe(padded(1_000_000));
});

describe('a stream of events', () => {
  test('connects again after what passes, from the last event on', async () => {
    await using stage = await openStage();
    const { admin, server } = stage;
    const full = refusal(429, '429', { 'retry-after': '1' });
    server.script('GET /events/v1', hangUp, ...Array<Reaction>(8).fill(full), sse(message(1) + message(2)));
    const cut = sse(message(3) + message(4).slice(0, 40), 'broken');
    server.script(`GET /events/v1?after=${padded(2)}`, refusal(503, '503'), cut);
    server.script(`GET /events/v1?after=${padded(3)}`, sse(`: events\nid: ${padded(9)}\n\n`));
    server.script(`GET /events/v1?after=${padded(9)}`, sse(message(10) + message(11)));
    const leaving = new AbortController();
    const seen: CloudEvent[] = [];
    for await (const event of admin.events.stream({ signal: leaving.signal })) {
      seen.push(event);
      // The one that came with it is not read any more.
      if (event.sequence === padded(10)) leaving.abort();
    }
    expect(seen.map(({ sequence }) => Number(sequence))).toEqual([1, 2, 3, 10]);
  });

  test('tells of each of its connections, and of the end of each before the next', async () => {
    await using stage = await openStage();
    const { admin, server } = stage;
    server.script('GET /events/v1', hangUp, sse(message(1)));
    server.script(`GET /events/v1?after=${padded(1)}`, refusal(503, '503'), sse(message(2), 'broken'));
    server.script(`GET /events/v1?after=${padded(2)}`, sse(message(3)));
    const told: unknown[] = [];
    const onConnection = (isConnected: boolean) => told.push(isConnected);
    for await (const { sequence } of admin.events.stream({ onConnection })) {
      told.push(Number(sequence));
      if (sequence === padded(3)) break;
    }
    expect(told).toEqual([true, 1, false, true, 2, false, true, 3, false]);
  });

  test('rejects where its place is no longer kept', async () => {
    await using stage = await openStage();
    stage.server.script('GET /events/v1?after=1', refusal(410, '410'));
    const next = stage.admin.events.stream({ after: '1' })[Symbol.asyncIterator]().next();
    await expect(next).rejects.toThrow(ApiError);
  });
});
