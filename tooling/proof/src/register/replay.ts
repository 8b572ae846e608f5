import type { CloudEvent, SodViolation } from '@access-admin/client';

/** The findings of a replay, one sentence each. */
export interface Replay {
  /** Steps of violations that were told. */
  readonly steps: number;
  readonly gaps: readonly string[];
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
}

const PREFIX = 'org.access-admin.';
const ENDS = { remediated: 'Remediated', closed: 'Closed' } as const;
/** The statuses from which a step leads, and to which. */
const STEPS = {
  opened: { from: [undefined], to: 'Open' },
  mitigated: { from: ['Open'], to: 'Mitigated' },
  reopened: { from: ['Mitigated'], to: 'Open' },
  remediated: { from: ['Open', 'Mitigated'], to: ENDS.remediated },
  closed: { from: ['Open', 'Mitigated'], to: ENDS.closed },
} as const;

/** Replays all events of a tenant from the first and compares them with all violations that its register has, ended ones too. */
export function replay(events: readonly CloudEvent[], violations: readonly SodViolation[]): Replay {
  const statuses = new Map<string, string>();
  const lost: string[] = [];
  const doubled: string[] = [];
  const gaps = events
    .map(({ sequence }) => sequence)
    .filter((sequence, at) => Number(sequence) !== at + 1)
    .slice(0, 1)
    .map((sequence) => `the sequence ${sequence} comes after a gap, or too early`);
  let steps = 0;
  for (const { type, subject, data } of events) {
    const step = stepOf(type);
    if (step === null) continue;
    steps += 1;
    const before = statuses.get(subject);
    const { from, to } = STEPS[step];
    // An exception may cover a violation from its begin on.
    const now = step === 'opened' ? String(Object(data).status) : to;
    statuses.set(subject, now);
    if (from.some((each) => each === before)) continue;
    const text = `${step} of ${subject}, which was ${before ?? 'not open'}`;
    (before === undefined || step === 'mitigated' || step === 'reopened' ? lost : doubled).push(text);
  }
  for (const { id, status } of violations) {
    const subject = `/violations/v1/${id}`;
    const told = statuses.get(subject);
    statuses.delete(subject);
    if (told !== status) lost.push(`${subject} is ${status}, but was told to be ${told ?? 'nothing'}`);
  }
  for (const [subject, told] of statuses)
    lost.push(`${subject} was told to be ${told}, but the register does not have it`);
  return { steps, gaps, lost, doubled };
}

function stepOf(type: string): keyof typeof STEPS | null {
  const [, step = ''] = /^sod\.violation\.(\w+)\.v1$/.exec(type.slice(PREFIX.length)) ?? [];
  return step in STEPS ? (step as keyof typeof STEPS) : null;
}

/** The acknowledged ids for which an event of a type does not exist exactly once. */
export function findMistold(
  events: readonly CloudEvent[],
  type: string,
  acknowledged: Iterable<string>,
): { readonly lost: readonly string[]; readonly doubled: readonly string[] } {
  const times = new Map<string, number>();
  for (const event of events) {
    if (event.type !== `${PREFIX}${type}.v1`) continue;
    const id = event.subject.split('/').at(-1) ?? '';
    times.set(id, (times.get(id) ?? 0) + 1);
  }
  const lost = [...acknowledged].filter((id) => !times.has(id)).map((id) => `${type} of ${id}`);
  const doubled = [...times].filter(([, count]) => count > 1).map(([id, count]) => `${count} times ${type} of ${id}`);
  return { lost, doubled };
}
