import type { AuditContext, AuditEvent } from '@access-admin/domain';
import type { RepeatedDenial } from '@access-admin/store';
import { describe, expect, test } from 'vitest';
import { DENIALS_RECORDED_MAX, openDenialLog } from './coalesce-denials.ts';

/** An event of the log; one of a single denial has no count. */
interface Recorded {
  readonly auditContext: AuditContext;
  readonly resource: AuditEvent['resource'];
  readonly count: number | null;
}

interface Refusal {
  readonly tenant?: string;
  readonly client?: string;
  readonly operation?: string;
  readonly id?: string | null;
}

const TEN = Array.from({ length: DENIALS_RECORDED_MAX }, () => null);

function open() {
  const state = { fails: false, refused: 0 };
  const events: Recorded[] = [];
  const errors: object[] = [];
  let tasks: (() => void)[] = [];
  const store = async (denials: readonly (RepeatedDenial | Omit<RepeatedDenial, 'count'>)[]) => {
    if (state.fails) throw new Error('away');
    for (const denial of denials) events.push({ ...denial, count: 'count' in denial ? denial.count : null });
  };
  const denials = openDenialLog({
    audit: {
      recordDenial: (auditContext, resource) => store([{ auditContext, resource }]),
      recordRepeatedDenials: (_, repeated) => store(repeated),
    },
    later: (task) => tasks.push(task),
    log: { error: (fields) => errors.push(fields) },
  });
  return {
    state,
    events,
    errors,
    countsOf: () => events.map(({ count }) => count),
    refuse: ({ client = 'c-1', operation = 'get', id = 'r-1', tenant = 'acme' }: Refusal = {}) => {
      state.refused += 1;
      const actor = { clientId: client, identityId: null };
      const time = new Date(state.refused).toISOString();
      const auditContext = { tenant, actor, operation, time, trackingId: `t-${state.refused}` };
      return denials.record(auditContext, { type: 'AUTH_USER', id });
    },
    endMinute: async () => {
      const due = tasks;
      tasks = [];
      for (const task of due) task();
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    },
    stop: () => denials[Symbol.asyncDispose](),
  };
}

describe('denials', () => {
  test('are events, the first ten of a minute, and the others one event with their count', async () => {
    const log = open();
    for (let call = 0; call < 12_000; call += 1) await log.refuse();
    expect(log.countsOf()).toEqual(TEN);
    await log.endMinute();
    expect(log.countsOf()).toEqual([...TEN, 12_000 - DENIALS_RECORDED_MAX]);
    expect(log.events.at(-1)).toMatchObject({ auditContext: { trackingId: 't-12000' }, resource: { id: 'r-1' } });
    await log.refuse();
    await log.endMinute();
    expect(log.countsOf().slice(DENIALS_RECORDED_MAX + 1)).toEqual([null]);
  });

  test('are counted by caller and operation, and their count has an id where all name one resource', async () => {
    const log = open();
    const kinds = [{}, { client: 'c-2' }, { operation: 'put' }, { tenant: 'globex' }];
    for (let call = 0; call < DENIALS_RECORDED_MAX + 5; call += 1)
      for (const kind of kinds) await log.refuse({ ...kind, ...('client' in kind ? { id: `r-${call}` } : {}) });
    await log.stop();
    const counted = log.events.filter(({ count }) => count !== null);
    expect(counted.map(({ count, resource }) => [count, resource.id])).toEqual([
      [5, 'r-1'],
      [5, null],
      [5, 'r-1'],
      [5, 'r-1'],
    ]);
  });

  test('that cannot be recorded are refused with an error, and take none of the ten places', async () => {
    const log = open();
    log.state.fails = true;
    for (let call = 0; call < 20; call += 1) await expect(log.refuse()).rejects.toThrow('away');
    log.state.fails = false;
    for (let call = 0; call < DENIALS_RECORDED_MAX; call += 1) await log.refuse();
    await log.stop();
    expect(log.countsOf()).toEqual(TEN);
  });

  test('keep their count until it can be recorded', async () => {
    const log = open();
    for (let call = 0; call < DENIALS_RECORDED_MAX + 3; call += 1) await log.refuse();
    log.state.fails = true;
    await log.endMinute();
    expect(log.errors).toHaveLength(1);
    log.state.fails = false;
    await log.endMinute();
    expect(log.countsOf()).toEqual([...TEN, 3]);
  });

  test('of more callers than are counted end the minute early, and each is recorded or counted', async () => {
    const log = open();
    for (let client = 0; client < 1_500; client += 1)
      for (let call = 0; call <= DENIALS_RECORDED_MAX; call += 1) await log.refuse({ client: `c-${client}` });
    expect(log.countsOf().filter((count) => count !== null)).toHaveLength(1_000);
    await log.stop();
    expect(log.events.reduce((sum, { count }) => sum + (count ?? 1), 0)).toBe(log.state.refused);
  });
});
