import type { AccessAdminClient } from '@access-admin/client';
import { GRANT } from '../load/company.ts';

/** One client that writes a check, an identity, a client, a check, … Each leaves a trace with its number. */
export interface Chain {
  readonly name: string;
  /** When each write was sent and acknowledged, by its number; the first is 0. */
  readonly sentMs: readonly number[];
  readonly acknowledgedMs: readonly number[];
}

/** The traces of one chain that a database holds, by number. */
export type Traces = ReadonlySet<number>;

export interface ChainAtWork extends Chain {
  stop(): Promise<void>;
}

export function startChain(name: string, client: AccessAdminClient): ChainAtWork {
  const sentMs: number[] = [];
  const acknowledgedMs: number[] = [];
  let isStopping = false;
  const write = async (number: number): Promise<unknown> => {
    const mark = `${name}/${number}`;
    if (number % 3 === 0) return client.sodViolations.check({ ...GRANT, clientMetadata: { mark } });
    if (number % 3 === 1) return client.accessModel.import([traceIdentity(name, number)]);
    return client.oauthClients.create({ name: mark, scopes: ['auth-users:read'] });
  };
  const work = async () => {
    while (!isStopping) {
      const number = sentMs.push(performance.now()) - 1;
      await write(number);
      acknowledgedMs.push(performance.now());
    }
  };
  const working = work();
  // A rejection is reported by `stop`.
  working.catch(() => {});
  return {
    name,
    sentMs,
    acknowledgedMs,
    stop: () => {
      isStopping = true;
      return working;
    },
  };
}

export const traceIdentity = (name: string, number: number) =>
  ({
    kind: 'identity',
    id: `trace-${name}-${number}`,
    uid: `${name}/${number}`,
    identityProfile: 'ip-staff',
    displayName: String(number),
  }) as const;

/**
 * Returns why a database is not a consistent state of the service: it must have every write acknowledged before
 * `begunMs`, a prefix of each chain, and no write without those that were acknowledged before it was sent.
 */
export function verifyHistory(
  chains: readonly Chain[],
  tracesOf: (name: string) => Traces,
  begunMs: number,
): readonly string[] {
  const wrong: string[] = [];
  const lengths = new Map<string, number>();
  for (const { name, acknowledgedMs } of chains) {
    const traces = tracesOf(name);
    lengths.set(name, traces.size);
    const gap = Array.from(traces.keys()).find((number) => number >= traces.size);
    if (gap !== undefined) wrong.push(`${name} has write ${gap}, but only ${traces.size} in all`);
    const due = countBefore(acknowledgedMs, begunMs);
    if (traces.size < due) wrong.push(`${name} lost ${due - traces.size} writes acknowledged before the backup began`);
  }
  for (const later of chains) {
    const lastSentMs = later.sentMs[(lengths.get(later.name) ?? 0) - 1] ?? 0;
    for (const { name, acknowledgedMs } of chains) {
      const due = countBefore(acknowledgedMs, lastSentMs);
      if ((lengths.get(name) ?? 0) < due)
        wrong.push(`${later.name} has a write that came after one that ${name} lacks`);
    }
  }
  return wrong;
}

const countBefore = (moments: readonly number[], limitMs: number): number =>
  moments.filter((moment) => moment < limitMs).length;
