import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { createSemaphore } from '@access-admin/scheduling';
import { runs } from '@access-admin/test-depth';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openRelay } from './relay.ts';
import { createSpool } from './spool.ts';

const MEGABYTE = 1_000_000;

interface Setting {
  readonly diskBytes?: number;
  readonly heldMsMax?: number;
  readonly directory?: string;
}

async function makeDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'access-admin-relay-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  return directory;
}

/** A relay on a directory of its own, and what its source has been asked for. */
async function open(
  texts: Iterable<string>,
  { diskBytes = 10 * MEGABYTE, heldMsMax = 60_000, directory }: Setting = {},
) {
  const place = directory ?? (await makeDirectory());
  const elapsed = () => performance.now();
  const disk = createSemaphore({ capacity: diskBytes, waitingMax: 10, waitMsMax: 60_000, elapsed });
  const made = { characters: 0, isEnded: false };
  const source = async function* () {
    try {
      for (const text of texts) {
        made.characters += text.length;
        yield text;
      }
    } finally {
      made.isEnded = true;
    }
  };
  const spool = createSpool({ directory: place, newId: randomUUID, openSlot: () => disk.open('t') });
  const tooSlow = () => new Error('too slow');
  const relay = openRelay(source(), { spool, yieldToOthers: () => setImmediate(), heldMsMax, elapsed, tooSlow });
  return { relay, made, disk, place };
}

async function textOf(pieces: AsyncIterable<string | Uint8Array>): Promise<string> {
  const all: Buffer[] = [];
  for await (const piece of pieces) all.push(Buffer.from(piece));
  return Buffer.concat(all).toString();
}

/** Text that hardly compresses: `count` pieces of 64,000 characters. */
function* noise(count: number): Generator<string> {
  let state = 1;
  for (let piece = 0; piece < count; piece++) {
    let text = '';
    while (text.length < 64_000) {
      state = (state * 48_271) % 2_147_483_647;
      text += state.toString(36);
    }
    yield text.slice(0, 64_000);
  }
}

test('the source ends although nothing is read, and all its text is read later', async () => {
  const texts = [...noise(50)];
  const { relay, made, disk, place } = await open(texts);
  await relay.produced;
  expect(made).toEqual({ characters: 50 * 64_000, isEnded: true });
  // On disk, but under no name.
  expect(disk.usage().held).toBeGreaterThan(MEGABYTE);
  expect(await readdir(place)).toEqual([]);
  expect(await textOf(relay.pieces)).toBe(texts.join(''));
  expect(disk.usage().held).toBe(0);
});

test('any text arrives as it was made, however the reader and the source alternate', async () => {
  const directory = await makeDirectory();
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 20 }).map((unit) => unit.repeat(7_000)),
    fc.string({ unit: 'grapheme' }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 40 }), fc.array(fc.nat(9)), async (texts, pauses) => {
      const { relay, disk } = await open(texts, { directory });
      let all = Buffer.alloc(0);
      let at = 0;
      for await (const piece of relay.pieces) {
        all = Buffer.concat([all, Buffer.from(piece)]);
        for (let turns = pauses[at++ % Math.max(pauses.length, 1)] ?? 0; turns > 0; turns--) await setImmediate();
      }
      expect(all.toString()).toBe(Buffer.from(texts.join('')).toString());
      expect(disk.usage().held).toBe(0);
    }),
    runs(30),
  );
});

test('a reader that keeps up needs no disk', async () => {
  const { relay } = await open(noise(50), { directory: '/nowhere' });
  expect(await textOf(relay.pieces)).toHaveLength(50 * 64_000);
});

describe('with a full disk', () => {
  test('the source goes on as its reader takes text', async () => {
    const { relay, made, disk } = await open(noise(80), { diskBytes: MEGABYTE });
    await expect.poll(() => disk.usage().waiting).toBe(1);
    expect(made.isEnded).toBe(false);
    expect(await textOf(relay.pieces)).toHaveLength(80 * 64_000);
    expect(disk.usage()).toEqual({ held: 0, waiting: 0, tenants: 0 });
  });

  test('the source goes on as its reader takes text when the disk cannot be written', async () => {
    const { relay, made } = await open(noise(50), { directory: '/nowhere' });
    await expect.poll(() => made.characters).toBeGreaterThan(500_000);
    expect(made.characters).toBeLessThan(700_000);
    expect(await textOf(relay.pieces)).toHaveLength(50 * 64_000);
  });

  test('the source is ended when its reader keeps it waiting for too long, and the reader learns it', async () => {
    const { relay, made } = await open(noise(50), { directory: '/nowhere', heldMsMax: 1 });
    await relay.produced;
    expect(made.isEnded).toBe(true);
    await expect(textOf(relay.pieces)).rejects.toThrow('too slow');
  });
});

test.each(['before it reads', 'while it reads'])('a reader that leaves %s ends the source', async (when) => {
  const { relay, made, disk } = await open(noise(1_000), { diskBytes: MEGABYTE });
  await expect.poll(() => disk.usage().waiting).toBe(1);
  if (when === 'while it reads') for await (const _ of relay.pieces) break;
  else relay.stop();
  await relay.produced;
  expect(made.isEnded).toBe(true);
  expect(disk.usage()).toEqual({ held: 0, waiting: 0, tenants: 0 });
});

describe('a source that fails', () => {
  test('at its start, rejects the start', async () => {
    const failing = {
      [Symbol.iterator]: () => {
        throw new Error('away');
      },
    };
    const { relay } = await open(failing);
    await expect(relay.started).rejects.toThrow('away');
    await relay.produced;
  });

  test('later, rejects behind all that it has made', async () => {
    const failing = function* (): Generator<string> {
      yield* noise(30);
      throw new Error('away');
    };
    const { relay } = await open(failing());
    await relay.started;
    await relay.produced;
    let length = 0;
    const reading = async () => {
      for await (const piece of relay.pieces) length += piece.length;
    };
    await expect(reading()).rejects.toThrow('away');
    expect(length).toBe(30 * 64_000);
  });
});
