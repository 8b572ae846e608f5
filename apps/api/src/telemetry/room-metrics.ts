import { Counter, Gauge, type Registry } from 'prom-client';
import type { SharedRoom } from '../rooms/shared-room.ts';

/** The rooms that tenants share: places, or bytes in `bodies`, `export_text` and `results`. */
export type RoomName = 'bodies' | 'counting' | 'explaining' | 'export_reads' | 'export_text' | 'exports' | 'results';

export interface RoomMetrics {
  /** Shows a room from now on; returns it. */
  addRoom(name: RoomName, room: SharedRoom): SharedRoom;
}

/** Metrics of the rooms, read from them at each scrape. */
export function createRoomMetrics(registry: Registry): RoomMetrics {
  const rooms = new Map<RoomName, SharedRoom>();
  const common = { labelNames: ['room' as const], registers: [registry] };
  new Gauge({
    ...common,
    name: 'access_admin_room_held',
    help: 'Room that tenants hold: bytes of bodies, export_text and results, places of the others.',
    collect() {
      for (const [room, { usage }] of rooms) this.set({ room }, usage().held);
    },
  });
  new Gauge({
    ...common,
    name: 'access_admin_room_waiting',
    help: 'Requests that wait for room.',
    collect() {
      for (const [room, { usage }] of rooms) this.set({ room }, usage().waiting);
    },
  });
  new Counter({
    ...common,
    name: 'access_admin_room_refused_total',
    help: 'Times that there was no room, at once or after a wait.',
    collect() {
      this.reset();
      for (const [room, { refused }] of rooms) this.inc({ room }, refused());
    },
  });
  return {
    addRoom: (name, room) => {
      rooms.set(name, room);
      return room;
    },
  };
}
