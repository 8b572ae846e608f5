import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTextBuffer } from './text-buffer.ts';

test('text is put at once if its reader has emptied memory since the disk could not be written', async () => {
  const appending = Promise.withResolvers<'failed'>();
  const buffer = createTextBuffer({
    spool: {
      isEmpty: true,
      append: () => appending.promise,
      read: async () => null,
      close: () => undefined,
    },
    heldMsMax: 60_000,
    elapsed: () => 0,
    tooSlow: () => new Error('too slow'),
  });
  const full = 'x'.repeat(512 * 1024);
  const putting = buffer.put(full).then(() => 'is put');
  appending.resolve('failed');
  // The reader looks as often as anything else can run.
  for (let piece: unknown = null; piece === null; ) piece = await buffer.take();
  expect(await Promise.race([putting, setImmediate('waits')])).toBe('is put');
  buffer.close();
});

test('with a full disk the text goes on as its reader takes it, and rejects when it has waited for too long', async () => {
  let elapsedMs = 0;
  const buffer = createTextBuffer({
    spool: { isEmpty: true, append: async () => 'full', read: async () => null, close: () => undefined },
    heldMsMax: 30_000,
    elapsed: () => elapsedMs,
    tooSlow: () => new Error('too slow'),
  });
  const full = 'x'.repeat(512 * 1024);
  for (let texts = 0; texts < 5; texts++) {
    const putting = buffer.put(full).then(() => 'is put');
    for (let turn = 0; turn < 5; turn++) await setImmediate();
    elapsedMs += 5_000;
    expect(await buffer.take()).toBe(full);
    expect(await putting).toBe('is put');
  }
  const refused = expect(buffer.put(full).then(() => buffer.put(full))).rejects.toThrow('too slow');
  for (let turn = 0; turn < 5; turn++) await setImmediate();
  elapsedMs += 5_001;
  expect(await buffer.take()).toBe(full);
  await refused;
  buffer.close();
});
