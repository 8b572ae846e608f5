import { Registry } from 'prom-client';
import { expect, test, vi } from 'vitest';
import { createSharedRoom } from '../rooms/shared-room.ts';
import { createRoomMetrics } from './room-metrics.ts';

test('metrics tell what is held of a room, how many wait, and how many were refused without those that left', async () => {
  vi.useFakeTimers();
  const registry = new Registry();
  const options = { size: 4, waitingMax: 4, waitMsMax: 1_000, elapsed: () => 0 };
  const room = createRoomMetrics(registry).addRoom('exports', createSharedRoom(options));
  const counted = async () => {
    const text = await registry.metrics();
    return [...text.matchAll(/^access_admin_room_(\w+)\{room="exports"\} (\d+)$/gm)].map(([, name, count]) => [
      name,
      count,
    ]);
  };
  const shown = (held: number, waiting: number, refused: number) =>
    Object.entries({ held, waiting, refused_total: refused }).map(([name, count]) => [name, `${count}`]);
  expect(await counted()).toEqual(shown(0, 0, 0));
  const holder = room.open('a');
  const first = room.open('a');
  const second = room.open('a');
  holder.take(2);
  void first.take(1);
  void second.take(1);
  expect(await counted()).toEqual(shown(2, 2, 0));
  // A third one may not wait.
  expect(room.open('a').take(1)).toMatchObject({ ok: false });
  expect(await counted()).toEqual(shown(2, 2, 1));
  second.release();
  expect(await counted()).toEqual(shown(2, 1, 1));
  vi.advanceTimersByTime(1_000);
  expect(await counted()).toEqual(shown(2, 0, 2));
  vi.useRealTimers();
});
