export { createScheduler, type Scheduler } from './event-loop/scheduler.ts';
export type { Acquired, NoCapacity } from './semaphore/ledger.ts';
export { createSemaphore, type Semaphore, type Slot, withSlot } from './semaphore/semaphore.ts';
