import { describe, expect, test } from 'vitest';
import { createRandom } from '../campaign/random.ts';
import { createPowerCutDisk } from './power-cut-disk.ts';
import type { LoggedCall } from './write-log.ts';

const call = (kind: LoggedCall['kind'], name: string, place = 0, data = ''): LoggedCall => ({
  kind,
  name,
  place,
  data: Buffer.from(data),
});
const syncDirectory = call('sync', '.');

/** The distinct texts that a file can have after a cut; null for a missing file. */
function outcomes(calls: readonly LoggedCall[], name = 'a'): ReadonlySet<string | null> {
  const disk = createPowerCutDisk();
  for (const each of calls) disk.apply(each);
  const random = createRandom(1);
  const texts = Array.from({ length: 300 }, () => disk.cut(random).files.get(name)?.toString('latin1') ?? null);
  return new Set(texts);
}

describe('after a power cut', () => {
  test('synced content survives if the directory was synced', () => {
    const calls = [call('create', 'a'), call('write', 'a', 0, 'safe'), call('sync', 'a'), syncDirectory];
    expect(outcomes(calls)).toEqual(new Set(['safe']));
  });

  test('without a sync of the directory, a created file may be missing and a removed file may exist again', () => {
    const made = [call('create', 'a'), call('write', 'a', 0, 'safe'), call('sync', 'a')];
    expect(outcomes(made)).toEqual(new Set([null, 'safe']));
    expect(outcomes([...made, syncDirectory, call('unlink', 'a')])).toEqual(new Set([null, 'safe']));
  });

  test('an unsynced write or truncation may be kept or lost', () => {
    const calls = [call('create', 'a'), syncDirectory, call('write', 'a', 0, 'old'), call('sync', 'a')];
    expect(outcomes([...calls, call('write', 'a', 1, 'ew!')])).toEqual(new Set(['old', 'oew!']));
    expect(outcomes([...calls, call('truncate', 'a', 1)])).toEqual(new Set(['old', 'o']));
  });

  test('a long write is torn between sectors only', () => {
    const long = 'x'.repeat(512) + 'y'.repeat(512);
    const calls = [call('create', 'a'), syncDirectory, call('write', 'a', 0, 'o'.repeat(1024)), call('sync', 'a')];
    const seen = outcomes([...calls, call('write', 'a', 0, long)]);
    const halves = ['x'.repeat(512), 'o'.repeat(512)].flatMap((left) =>
      ['y'.repeat(512), 'o'.repeat(512)].map((right) => left + right),
    );
    expect(seen).toEqual(new Set(halves));
  });

  test('writes to one place may be stored in reverse order', () => {
    const calls = [call('create', 'a'), syncDirectory, call('write', 'a', 0, '1'), call('write', 'a', 0, '2')];
    expect(outcomes(calls)).toEqual(new Set(['', '1', '2']));
    expect([...outcomes([...calls, call('sync', 'a')])]).toEqual(['2']);
  });
});
