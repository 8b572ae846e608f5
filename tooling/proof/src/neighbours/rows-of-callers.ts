import { randomUUID } from 'node:crypto';
import type { Caller } from '../http/caller.ts';
import { identity, STAFF } from './attack-models.ts';
import { keepSending } from './attacker.ts';
import type { NeighbourRow } from './row.ts';

const FORM = 'application/x-www-form-urlencoded';
const DENIED_AT_ONCE = 8;
/** Far fewer than one event a refusal, and far more than one a kind and minute. */
const EVENTS_MAX = 200;

const deniedCalls: NeighbourRow = {
  id: '9',
  title: '12,000 refused calls by an identity without rights',
  prepare: async (attacker) => {
    const { load, pick, actAs, pause, tenant } = attacker;
    await load([STAFF, identity('i-none')]);
    const send = await actAs('i-none');
    const total = pick(12_000, 1_000);
    let refused = 0;
    return {
      run: () =>
        keepSending(attacker, DENIED_AT_ONCE, async (number) => {
          if (number >= total) return pause(100);
          const { status } = await send({ path: deniedPath(number) });
          if (status === 403) refused++;
        }),
      least: { outcomes: { 403: total } },
      verify: async () => {
        const events = await countDenials(attacker.prepare);
        return events <= EVENTS_MAX
          ? []
          : [`${events} events in the audit log of ${tenant} tell of ${refused} refusals`];
      },
    };
  },
};

/** Different operations, and ids that never repeat. */
const deniedPath = (number: number): string =>
  [
    '/access-model/v1/export',
    `/sod-violations/v1/check/${randomUUID()}`,
    `/sod-policies/v1/${randomUUID()}`,
    '/audit-events/v1/export',
  ][number % 4] ?? '';

/** Refusals in the audit log of the attacker's tenant. */
async function countDenials(read: Caller): Promise<number> {
  const filters = encodeURIComponent('outcome eq "DENIED"');
  let events = 0;
  for (;;) {
    const page = await read({ path: `/audit-events/v1?filters=${filters}&limit=250&offset=${events}` });
    const { length } = JSON.parse(page.text);
    events += length;
    if (length < 250 || events > 5 * EVENTS_MAX) return events;
  }
}

const tokenFlood: NeighbourRow = {
  id: '11',
  title: '300 token requests at once with worthless credentials',
  prepare: async (attacker) => {
    const { pick, sendAnonymously } = attacker;
    const ask = (number: number) => {
      const credentials = `${number % 2 === 0 ? 'proof' : 'nobody'}:${number % 4 < 2 ? 'worthless' : '%25worthless%'}`;
      const headers = { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
      return sendAnonymously({ path: '/oauth/token', body: 'grant_type=client_credentials', type: FORM, headers });
    };
    return { run: () => keepSending(attacker, pick(300, 250), ask), least: { outcomes: { 401: pick(300, 20) } } };
  },
};

export const rowsOfCallers = [deniedCalls, tokenFlood];
