import type { Semaphore } from '@access-admin/scheduling';
import { Counter, Gauge, type Registry } from 'prom-client';

/** The semaphores that tenants share: of pieces of work, or of bytes in `bodies`, `export_text` and `results`. */
export type SemaphoreName =
  | 'bodies'
  | 'counting'
  | 'explaining'
  | 'export_reads'
  | 'export_text'
  | 'exports'
  | 'results';

export interface SemaphoreMetrics {
  /** Shows a semaphore from now on; returns it. */
  addSemaphore(name: SemaphoreName, semaphore: Semaphore): Semaphore;
}

/** Metrics of the semaphores, read from them at each scrape. Their names are those that monitoring knows. */
export function createSemaphoreMetrics(registry: Registry): SemaphoreMetrics {
  const semaphores = new Map<SemaphoreName, Semaphore>();
  const common = { labelNames: ['room' as const], registers: [registry] };
  new Gauge({
    ...common,
    name: 'access_admin_room_held',
    help: 'Room that tenants hold: bytes of bodies, export_text and results, places of the others.',
    collect() {
      for (const [room, { usage }] of semaphores) this.set({ room }, usage().held);
    },
  });
  new Gauge({
    ...common,
    name: 'access_admin_room_waiting',
    help: 'Requests that wait for room.',
    collect() {
      for (const [room, { usage }] of semaphores) this.set({ room }, usage().waiting);
    },
  });
  new Counter({
    ...common,
    name: 'access_admin_room_refused_total',
    help: 'Times that there was no room, at once or after a wait.',
    collect() {
      this.reset();
      for (const [room, { refused }] of semaphores) this.inc({ room }, refused());
    },
  });
  return {
    addSemaphore: (name, semaphore) => {
      semaphores.set(name, semaphore);
      return semaphore;
    },
  };
}
