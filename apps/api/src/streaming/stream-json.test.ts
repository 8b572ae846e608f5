import { setImmediate as turn } from 'node:timers/promises';
import { createScheduler } from '@access-admin/scheduling';
import { describe, expect, test } from 'vitest';
import { contextOf } from '../../test/context-of.ts';
import { createJobs } from '../event-loop/jobs.ts';
import { type LongText, streamBody } from './stream-json.ts';

const CHUNK = 'x'.repeat(65_536);

/** Makes bodies with a clock that the test moves, and keeps the errors that the log would have. */
function open(method = 'GET') {
  const clock = { nowMs: 0 };
  const elapsed = () => clock.nowMs;
  const scheduler = createScheduler({ elapsed, dueAfterMs: 2 });
  const jobs = createJobs({ scheduler, elapsed, workMsMax: 1_000 });
  const errors: unknown[] = [];
  const log = { error: ({ err }: { readonly err?: unknown }) => errors.push(err) };
  const c = contextOf({ method, services: { scheduler, jobs, log } });
  return { c, clock, jobs, errors, bodyOf: (text: LongText) => streamBody(c, text) };
}

async function readerOf(body: Promise<string | ReadableStream<Uint8Array> | null>) {
  const stream = await body;
  if (!(stream instanceof ReadableStream)) throw new Error('The text is not long.');
  return stream.getReader();
}

async function textOf(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for (let read = await reader.read(); !read.done; read = await reader.read()) chunks.push(read.value);
  return Buffer.concat(chunks).toString();
}

/** Pieces that count how many of them were made, and note their end. */
function watched(make: () => string | Promise<string>, count = Number.POSITIVE_INFINITY) {
  const state = { made: 0, isEnded: false, released: 0 };
  async function* pieces(): AsyncGenerator<string> {
    try {
      while (state.made < count) {
        state.made += 1;
        yield await make();
      }
    } finally {
      state.isEnded = true;
    }
  }
  const release = () => {
    state.released += 1;
  };
  return { state, text: { pieces: pieces(), release } };
}

describe('a short text', () => {
  test('is a string, and is released once it is made', async () => {
    const { bodyOf } = open();
    const { state, text } = watched(() => 'a', 3);
    expect(await bodyOf(text)).toBe('aaa');
    await turn();
    expect(state).toEqual({ made: 3, isEnded: true, released: 1 });
    expect(await bodyOf({ pieces: [] })).toBe('');
    expect(await bodyOf({ pieces: ['', CHUNK.slice(1), ''] })).toBe(CHUNK.slice(1));
  });

  test('that cannot be made rejects, and is released', async () => {
    const { bodyOf } = open();
    const { state, text } = watched(() => Promise.reject(new Error('no storage')));
    await expect(bodyOf(text)).rejects.toThrow('no storage');
    await turn();
    expect(state).toEqual({ made: 1, isEnded: true, released: 1 });
  });
});

describe('a long text', () => {
  test('is a stream of chunks that do not break characters', async () => {
    const { bodyOf } = open();
    const long = `x${'😀é'.repeat(100_000)}`;
    const reader = await readerOf(bodyOf({ pieces: ['a', long, 'b'] }));
    const chunks: string[] = [];
    for (let read = await reader.read(); !read.done; read = await reader.read())
      chunks.push(Buffer.from(read.value).toString());
    expect(chunks.every((chunk) => chunk.length <= 65_537)).toBe(true);
    expect(chunks.join('')).toBe(`a${long}b`);
  });

  test('is not made ahead of a slow reader, and ends with it', async () => {
    const { c, bodyOf, errors } = open();
    const { state, text } = watched(() => CHUNK);
    const reader = await readerOf(bodyOf(text));
    for (let at = 0; at < 10; at++) await turn();
    expect(state).toEqual({ made: 1, isEnded: false, released: 0 });
    await reader.read();
    await reader.read();
    expect(state.made).toBe(2);
    await reader.cancel();
    await c.env.state.streamed;
    await turn();
    expect(state).toEqual({ made: 2, isEnded: true, released: 1 });
    expect(errors).toEqual([]);
  });

  test('whose pieces may take long begins with the first of them', async () => {
    const { bodyOf } = open();
    const { state, text } = watched(() => 'a', 3);
    const reader = await readerOf(bodyOf({ ...text, isSlow: true }));
    expect(state.made).toBe(1);
    expect(await textOf(reader)).toBe('aaa');
  });

  test('has a deadline for its beginning: the rest takes as long as its reader', async () => {
    const { bodyOf, clock, jobs } = open();
    const job = jobs.begin('', null);
    const reader = await readerOf(bodyOf({ pieces: [CHUNK, CHUNK], job }));
    clock.nowMs = 600_000;
    expect((await textOf(reader)).length).toBe(2 * CHUNK.length);
    const pieces = function* (): Generator<string> {
      for (;;) {
        clock.nowMs += 2;
        yield '';
      }
    };
    await expect(bodyOf({ pieces: pieces(), job })).rejects.toThrow('deadline');
  });

  test('lets others go on once pieces have taken some time', async () => {
    const { bodyOf, clock } = open();
    const made: string[] = [];
    const pieces = function* (name: string): Generator<string, void> {
      for (let piece = 0; piece < 6; piece++) {
        clock.nowMs += 1;
        made.push(name);
        yield `${name}${piece}`;
      }
    };
    const texts = await Promise.all([bodyOf({ pieces: pieces('a') }), bodyOf({ pieces: pieces('b') })]);
    expect(texts).toEqual(['a0a1a2a3a4a5', 'b0b1b2b3b4b5']);
    expect(made.join('')).toMatch(/^a+b+a+/);
  });

  test('is not sent to HEAD', async () => {
    const { bodyOf } = open('HEAD');
    const { state, text } = watched(() => CHUNK);
    expect(await bodyOf(text)).toBeNull();
    await turn();
    expect(state).toEqual({ made: 1, isEnded: true, released: 1 });
  });

  test('that fails tells the log, but not of a reader that has left meanwhile', async () => {
    const fail = async (leave: boolean) => {
      const { bodyOf, errors } = open();
      const { promise, reject } = Promise.withResolvers<string>();
      let count = 0;
      const { state, text } = watched(() => (count++ === 0 ? CHUNK : promise));
      const reader = await readerOf(bodyOf(text));
      await reader.read();
      const reading = reader.read().catch(String);
      for (let at = 0; at < 3; at++) await turn();
      if (leave) await reader.cancel();
      reject(new Error('broken'));
      const read = await reading;
      await turn();
      expect([state.isEnded, state.released]).toEqual([true, 1]);
      return [read, errors];
    };
    expect(await fail(false)).toEqual(['Error: broken', [new Error('broken')]]);
    expect(await fail(true)).toEqual([{ done: true, value: undefined }, []]);
  });
});
