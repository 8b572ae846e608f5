import type { Store } from '@access-admin/store';

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** A Monday, at 6:00 UTC. */
const MONDAY_MS = Date.UTC(1970, 0, 5, 6);
const TENANTS_AT_ONCE = 500;

/** Stores, for every tenant, the mails about exceptions that end within seven days, and the summary of the week; each once. */
export async function addMailsOfPeriod(
  { tenants, mails }: Pick<Store, 'tenants' | 'mails'>,
  nowMs: number,
): Promise<void> {
  const weekMs = MONDAY_MS + Math.floor((nowMs - MONDAY_MS) / WEEK_MS) * WEEK_MS;
  const period = {
    now: new Date(nowMs).toISOString(),
    until: new Date(nowMs + WEEK_MS).toISOString(),
    week: `week-${new Date(weekMs).toISOString().slice(0, 10)}`,
    // Another worker, whose clock is behind, finds it there.
    weekEndMs: weekMs + WEEK_MS + DAY_MS,
  };
  for (let offset = 0; ; offset += TENANTS_AT_ONCE) {
    const some = await tenants.list({ limit: TENANTS_AT_ONCE, offset });
    for (const { tenant, removal } of some) if (removal === null) await mails.addOfPeriod(tenant, period);
    if (some.length < TENANTS_AT_ONCE) return;
  }
}
