import type { AuditContext, AuditEvent } from '@access-admin/domain';
import type { RepeatedDenial } from '@access-admin/store';
import { describe, expect, test } from 'vitest';
import { DENIALS_RECORDED_MAX, KINDS_MAX, openDenialLog } from './denial-log.ts';

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
  const state = { failsFor: (_: string) => false, refused: 0 };
  const events: Recorded[] = [];
  const errors: object[] = [];
  let tasks: (() => void)[] = [];
  const store = async (denials: readonly (RepeatedDenial | Omit<RepeatedDenial, 'count'>)[]) => {
    if (denials.some(({ auditContext }) => state.failsFor(auditContext.tenant))) throw new Error('away');
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
    /** The denials that the events tell of. */
    recorded: () => events.reduce((sum, { count }) => sum + (count ?? 1), 0),
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
    log.state.failsFor = () => true;
    for (let call = 0; call < 20; call += 1) await expect(log.refuse()).rejects.toThrow('away');
    log.state.failsFor = () => false;
    for (let call = 0; call < DENIALS_RECORDED_MAX; call += 1) await log.refuse();
    await log.stop();
    expect(log.countsOf()).toEqual(TEN);
  });

  test('keep their count until it can be recorded', async () => {
    const log = open();
    for (let call = 0; call < DENIALS_RECORDED_MAX + 3; call += 1) await log.refuse();
    log.state.failsFor = () => true;
    await log.endMinute();
    expect(log.errors).toHaveLength(1);
    log.state.failsFor = () => false;
    await log.endMinute();
    expect(log.countsOf()).toEqual([...TEN, 3]);
  });

  test('of more callers than are kept end the minute of their own tenant alone, and each is recorded or counted', async () => {
    const log = open();
    for (let call = 0; call < DENIALS_RECORDED_MAX + 5; call += 1) await log.refuse({ tenant: 'globex' });
    for (let client = 0; client < KINDS_MAX; client += 1)
      for (let call = 0; call <= DENIALS_RECORDED_MAX; call += 1) await log.refuse({ client: `c-${client}` });
    const countsBefore = log.events.filter(({ count }) => count !== null);
    expect(countsBefore).toHaveLength(KINDS_MAX - 1);
    expect(countsBefore.filter(({ auditContext }) => auditContext.tenant === 'globex')).toEqual([]);
    await log.stop();
    const ofOther = log.events.filter(({ auditContext }) => auditContext.tenant === 'globex');
    expect(ofOther.map(({ count }) => count)).toEqual([...TEN, 5]);
    expect(log.recorded()).toBe(log.state.refused);
  });

  test('that find no memory while counts cannot be recorded are events of their own, and no count is lost', async () => {
    const log = open();
    const isAway = (tenant: string) => tenant === 'acme';
    for (let client = 0; client < KINDS_MAX; client += 1)
      for (let call = 0; call <= DENIALS_RECORDED_MAX; call += 1) await log.refuse({ client: `c-${client}` });
    log.state.failsFor = isAway;
    for (let minute = 0; minute < 3; minute += 1) await log.endMinute();
    for (let call = 0; call < 50; call += 1) await log.refuse({ tenant: 'globex' });
    await expect(log.refuse({ client: 'c-new' })).rejects.toThrow('away');
    await log.refuse({ client: 'c-0' });
    log.state.failsFor = () => false;
    await log.stop();
    expect(log.recorded()).toBe(log.state.refused - 1);
    expect(log.events.filter(({ auditContext }) => auditContext.tenant === 'globex')).toHaveLength(50);
    const first = log.events.filter(({ auditContext }) => auditContext.actor.clientId === 'c-0');
    expect(first.map(({ count }) => count)).toEqual([...TEN, 2]);
  });
});
