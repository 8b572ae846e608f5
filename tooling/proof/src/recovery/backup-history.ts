import type { AccessAdminClient } from '@access-admin/client';
import { GRANT } from '../load/company.ts';

/** One client that writes a check, an identity, a client, a check, … Each leaves a trace with its number. */
export interface Chain {
  readonly name: string;
  /** When each write was sent and acknowledged, by its number; the first is 0. */
  readonly sentMs: readonly number[];
  readonly acknowledgedMs: readonly number[];
}

/** Starts a chain, which writes until it is stopped. */
export function startChain(name: string, client: AccessAdminClient) {
  const sentMs: number[] = [];
  const acknowledgedMs: number[] = [];
  let isStopping = false;
  const write = async (number: number): Promise<unknown> => {
    const mark = `${name}/${number}`;
    if (number % 3 === 0) return client.sodViolations.check({ ...GRANT, clientMetadata: { mark } });
    const identity = { id: `trace-${name}-${number}`, uid: mark, identityProfile: 'ip-staff' };
    if (number % 3 === 1) return client.accessModel.import([{ kind: 'identity', ...identity }]);
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

/**
 * Returns why a database is not a consistent state of the service: it must have every write acknowledged before
 * `begunMs`, a prefix of each chain, and no write without those that were acknowledged before it was sent.
 */
export function verifyHistory(
  chains: readonly Chain[],
  tracesOf: (name: string) => ReadonlySet<number>,
  begunMs: number,
): readonly string[] {
  const held = chains.map((chain) => ({ ...chain, traces: tracesOf(chain.name) }));
  const limits = [
    { what: 'the backup began', ms: begunMs },
    ...held.map(({ name, sentMs, traces }) => ({
      what: `the last of ${name} was sent`,
      ms: sentMs[traces.size - 1] ?? 0,
    })),
  ];
  return held.flatMap(({ name, acknowledgedMs, traces }) => {
    const { size } = traces;
    const gap = [...traces.keys()].find((number) => number >= size);
    const lost = limits
      .map(({ what, ms }) => ({ what, count: acknowledgedMs.filter((each) => each < ms).length - size }))
      .filter(({ count }) => count > 0);
    return [
      ...(gap === undefined ? [] : [`${name} has write ${gap}, but only ${size} in all`]),
      ...lost.map(({ what, count }) => `${name} lost ${count} writes acknowledged before ${what}`),
    ];
  });
}
