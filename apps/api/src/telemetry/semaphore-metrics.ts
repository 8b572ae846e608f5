import type { Semaphore } from '@access-admin/scheduling';
import { Counter, Gauge, type Registry } from 'prom-client';

/** The semaphores that tenants share: of pieces of work, or of bytes in `bodies` and `results`. */
export type SemaphoreName = 'bodies' | 'counting' | 'explaining' | 'exports' | 'results';

export interface SemaphoreMetrics {
  /** Shows a semaphore from now on; returns it. */
  addSemaphore(name: SemaphoreName, semaphore: Semaphore): Semaphore;
}

/** Metrics of the semaphores, read from them at each scrape. */
export function createSemaphoreMetrics(registry: Registry): SemaphoreMetrics {
  const semaphores = new Map<SemaphoreName, Semaphore>();
  const common = { labelNames: ['semaphore' as const], registers: [registry] };
  new Gauge({
    ...common,
    name: 'access_admin_semaphore_held',
    help: 'What tenants hold of the capacity that they share: bytes of bodies and results, slots of the others.',
    collect() {
      for (const [semaphore, { usage }] of semaphores) this.set({ semaphore }, usage().held);
    },
  });
  new Gauge({
    ...common,
    name: 'access_admin_semaphore_waiting',
    help: 'Requests that wait for capacity.',
    collect() {
      for (const [semaphore, { usage }] of semaphores) this.set({ semaphore }, usage().waiting);
    },
  });
  new Counter({
    ...common,
    name: 'access_admin_semaphore_refused_total',
    help: 'Times that there was no capacity, at once or after a wait.',
    collect() {
      this.reset();
      for (const [semaphore, { refused }] of semaphores) this.inc({ semaphore }, refused());
    },
  });
  return {
    addSemaphore: (name, semaphore) => {
      semaphores.set(name, semaphore);
      return semaphore;
    },
  };
}
