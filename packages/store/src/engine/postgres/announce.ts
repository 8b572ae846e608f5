import type pg from 'pg';
import { gather } from '../concurrency/gather.ts';
import { CHANNEL } from './commit-message.ts';

const ANNOUNCEMENTS_MAX = 1_000;

/**
 * Notifies other processes after a commit. Within it, a notification would let the commits of all tenants wait for each other. One
 * that is lost is made up for by the next poll, so none waits for the disk.
 */
export function createAnnounce(pool: pg.Pool): (payload: string) => void {
  const text = `
    select pg_notify('${CHANNEL}', payload), set_config('synchronous_commit', 'off', true)
    from unnest($1::text[]) as payload`;
  const announce = gather<string, null>(
    async (payloads) => {
      await pool.query({ name: 'announce', text, values: [payloads] });
      return payloads.map(() => null);
    },
    { requestsMax: ANNOUNCEMENTS_MAX },
  );
  return (payload) => {
    announce(payload).catch(() => {});
  };
}
