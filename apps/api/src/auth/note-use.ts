import type { ClientStore } from '@access-admin/store';
import { LRUCache } from 'lru-cache';

/** Records, once an hour, that a client was used. Callers do not wait for it. */
export type NoteUse = (tenant: string, clientId: string) => void;

export interface NoteUseDeps {
  readonly clients: Pick<ClientStore, 'noteUse'>;
  readonly now: () => Date;
}

const CLIENTS_MAX = 50_000;
const HOUR_MS = 3_600_000;

/** Each process tells of a client once an hour; the storage then changes nothing that another process has changed. */
export function createNoteUse({ clients, now }: NoteUseDeps): NoteUse {
  // With `max`, room for all of them would be taken at once.
  const noted = new LRUCache<string, number>({ maxSize: CLIENTS_MAX, sizeCalculation: () => 1 });
  return (tenant, clientId) => {
    const hour = Math.floor(now().getTime() / HOUR_MS);
    if (noted.get(clientId) === hour) return;
    noted.set(clientId, hour);
    clients.noteUse(tenant, clientId, new Date(hour * HOUR_MS).toISOString()).catch(() => {
      // A later request tells of it.
      noted.delete(clientId);
    });
  };
}
