import { setTimeout as delay } from 'node:timers/promises';
import { type Call, type CallAnswer, type Caller, createCaller } from '../http/caller.ts';
import type { Fleet } from '../service/open-fleet.ts';

/** The attackers' loopback address. */
const FROM = '127.0.0.1';
/** Keeps a loop from turning without pause while the service refuses connections. */
const WITHOUT_ANSWER_MS = 100;

/** A tenant of its own that attacks, with every right in its tenant. */
export interface Attacker {
  readonly tenant: string;
  readonly token: string;
  readonly port: number;
  /** Aborted at the end of the attack: all its calls end. */
  readonly signal: AbortSignal;
  /** The first number in a whole attack, the second in a short one. */
  pick(whole: number, short: number): number;
  /** Sends a call of the attack. */
  readonly send: Caller;
  /** Counts the outcome of a call by its status or in words. An answer's status counts with `send`. */
  count(outcome: string): void;
  /** Waits, at most until the end of the attack. */
  pause(ms: number): Promise<void>;
  /** Sends a call that is not part of the attack, and throws unless it succeeds. */
  prepare(call: Call): Promise<CallAnswer>;
  /** Imports records, in as many parts as their size needs. */
  load(records: readonly object[]): Promise<void>;
  /** Imports records, and makes API and worker read the tenant's data, as at its first request: what they keep of it is bounded elsewhere. */
  loadAndRead(identityId: string, records: readonly object[]): Promise<void>;
  /** Waits for the result of a check. */
  awaitCheck(requestId: string): Promise<CallAnswer>;
  /** Sends calls as an identity. */
  actAs(identityId: string): Promise<Caller>;
  /** Sends calls without a token. */
  readonly sendAnonymously: Caller;
}

export interface AttackerPlan {
  readonly tenant: string;
  readonly isShort: boolean;
  readonly signal: AbortSignal;
}

const PART_BYTES_MAX = 15 * 2 ** 20;
/** Characters of a check before its result, which may be long. */
const ENVELOPE = 300;
const PENDING = /"state":"PENDING"/;
const WITHOUT_ANSWER = 'without an answer';

/** The id of a check that was accepted. */
export const requestIdOf = ({ text }: CallAnswer): string => JSON.parse(text).requestId;

export type AnswerCounts = Record<string, number>;

/** Registers the tenant's client. `answers` counts the answers to the attack by status. */
export async function openAttacker(
  { api, register }: Fleet,
  { tenant, isShort, signal }: AttackerPlan,
  answers: AnswerCounts,
): Promise<Attacker> {
  const { baseAddress } = api;
  const plan = { baseAddress, from: FROM };
  const { token } = await register({ tenant });
  const count: Attacker['count'] = (outcome) => {
    if (!signal.aborted) answers[outcome] = (answers[outcome] ?? 0) + 1;
  };
  const pause: Attacker['pause'] = (ms) => delay(ms, undefined, { signal }).catch(() => {});
  const counted =
    (send: Caller): Caller =>
    async (call) => {
      const answer = await send(call);
      count(answer.status === 0 ? WITHOUT_ANSWER : String(answer.status));
      if (answer.status === 0) await pause(WITHOUT_ANSWER_MS);
      return answer;
    };
  const attack = (own: string | null) => counted(createCaller({ ...plan, signal, token: own }));
  const call = createCaller({ ...plan, token });
  const prepare: Attacker['prepare'] = async (given) => {
    const answer = await call(given);
    if (answer.status < 200 || answer.status > 299)
      throw new Error(`${tenant} could not prepare: ${given.path}: ${answer.status} ${answer.text.slice(0, 300)}`);
    return answer;
  };
  const load: Attacker['load'] = async (records) => {
    for (const body of partsOf(records))
      await prepare({ path: '/access-model/v1/import', body, type: 'application/x-ndjson' });
  };
  const awaitCheck: Attacker['awaitCheck'] = async (requestId) => {
    for (;;) {
      const path = `/sod-violations/v1/check/${requestId}`;
      const answer = await prepare({ path, headers: { prefer: 'wait=20' } });
      if (!PENDING.test(answer.text.slice(0, ENVELOPE))) return answer;
    }
  };
  return {
    tenant,
    token,
    signal,
    prepare,
    count,
    pause,
    load,
    awaitCheck,
    port: Number(new URL(baseAddress).port),
    pick: (whole, short) => (isShort ? short : whole),
    send: attack(token),
    sendAnonymously: attack(null),
    actAs: async (identityId) => {
      const { token: own } = await register({ tenant, identityId });
      return attack(own);
    },
    loadAndRead: async (identityId, records) => {
      await load(records);
      const body = JSON.stringify({ identityId, accessRefs: [] });
      await prepare({ path: '/sod-violations/v1/predict', body });
      await awaitCheck(requestIdOf(await prepare({ path: '/sod-violations/v1/check', body })));
    },
  };
}

/** Repeats a call of an attack, in several loops at the same time, until the attack ends. */
export async function keepSending(
  { signal }: Pick<Attacker, 'signal'>,
  loops: number,
  send: (number: number) => Promise<unknown>,
): Promise<void> {
  const loop = async (first: number) => {
    for (let number = first; !signal.aborted; number += loops) await send(number);
  };
  await Promise.all(Array.from({ length: loops }, (_, first) => loop(first)));
}

/** The records as lines, in bodies of a size that an import accepts. */
function partsOf(records: readonly object[]): readonly string[] {
  const parts: string[] = [];
  let lines: string[] = [];
  let bytes = 0;
  for (const record of records) {
    const line = `${JSON.stringify(record)}\n`;
    if (bytes + line.length > PART_BYTES_MAX) {
      parts.push(lines.join(''));
      [lines, bytes] = [[], 0];
    }
    lines.push(line);
    bytes += line.length;
  }
  return [...parts, lines.join('')];
}
