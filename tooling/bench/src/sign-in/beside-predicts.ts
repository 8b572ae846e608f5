import { argon2Sync, randomBytes } from 'node:crypto';
import type { HttpAnswer } from '../load/answer-reader.ts';
import { withConnections } from '../load/http-connection.ts';
import { type Arrivals, runOpenLoop } from '../load/open-loop.ts';
import { cycleThrough, plainRequest, predictRequest } from '../load/predict-request.ts';
import { cpuSecondsOf } from '../measure/process-usage.ts';
import { figure, type SuiteResult, spreadText } from '../measure/report.ts';
import { ratioOf, spreadOf, takeTurns } from '../measure/rounds.ts';
import { requestToken } from '../servers/request-token.ts';
import { type ServedWorld, serveWorld } from '../servers/served-world.ts';
import { createWorld } from '../world/create-world.ts';
import { addPeople, COST, loginRequest, PASSWORD, usernameOf } from './people.ts';

const SIZE = { seed: 20_261_121, entitlements: 50_000, policies: 10_000, identities: 2_000, questions: 4096 };
const PREDICTS_PER_SECOND = 200;
const SIGN_INS_PER_SECOND = 50;
const ROUND_MS = 8000;
const PREDICT_CONNECTIONS = 32;
/** Enough for sign-ins that wait for some seconds. */
const SIGN_IN_CONNECTIONS = 400;
const PEOPLE = 400;
const HASHES = 15;

interface Round {
  readonly p99Ms: number;
  readonly medianMs: number;
  readonly signedIn: number;
  readonly refused: number;
  /** The longest time of a sign-in, until it was answered or refused. */
  readonly longestMs: number;
  /** CPU of the API in seconds a second. */
  readonly cores: number;
}

/** The latency of predicts with and without 50 sign-ins a second beside them, in an open loop. */
export async function measureSignInsBesidePredicts(): Promise<Omit<SuiteResult, 'name'>> {
  await using served = await serveWorld(createWorld(SIZE));
  await addPeople(served, [{ profile: 'people', type: 'NON_PTA', count: PEOPLE }]);
  const predicts = await predictsOf(served);
  const [calm = [], busy = []] = await takeTurns([0, SIGN_INS_PER_SECOND], (perSecond) =>
    runRound(served, predicts, perSecond),
  );
  const hashMs = cpuMsOfHashes();
  const perSecond = (key: 'signedIn' | 'refused') => spreadOf(busy.map((round) => (round[key] * 1000) / ROUND_MS));
  const rowOf = (name: string, rounds: readonly Round[]) => [
    name,
    ...(['medianMs', 'p99Ms', 'cores', 'longestMs'] as const).map((key) =>
      spreadText(spreadOf(rounds.map((round) => round[key]))),
    ),
  ];
  return {
    tables: [
      {
        header: [
          `${PREDICTS_PER_SECOND} predicts/s, 10,000 policies`,
          ...['median ms', 'p99 ms', 'cores that the API used', 'longest sign-in, ms'],
        ],
        rows: [rowOf('alone', calm), rowOf(`beside ${SIGN_INS_PER_SECOND} sign-ins/s`, busy)],
      },
    ],
    figures: [
      {
        name: `p99 of predicts beside ${SIGN_INS_PER_SECOND} sign-ins a second, times alone`,
        spread: ratioOf(
          busy.map(({ p99Ms }) => p99Ms),
          calm.map(({ p99Ms }) => p99Ms),
        ),
        ...{ goal: 2, less: true },
      },
      { name: 'sign-ins a second that were served', spread: perSecond('signedIn') },
      { name: 'sign-ins a second that were refused with 503', spread: perSecond('refused') },
      { name: 'CPU of the hash of one password in ms', spread: spreadOf(hashMs) },
      {
        name: `cores that ${SIGN_INS_PER_SECOND} hashes a second take`,
        spread: spreadOf(hashMs.map((ms) => Number(figure((ms * SIGN_INS_PER_SECOND) / 1000)))),
      },
    ],
    raw: { besidePredicts: { ...SIZE, calm, busy, hashMs } },
  };
}

async function predictsOf(served: ServedWorld): Promise<Pick<Arrivals, 'nextRequest' | 'check'>> {
  const target = { port: served.port, token: await requestToken(served) };
  const { questions } = createWorld(SIZE);
  return {
    nextRequest: cycleThrough(questions.map((question) => predictRequest(target, plainRequest(question)))),
    check: ({ status, parts }: HttpAnswer) => {
      if (status !== 200) throw new Error(`${status}: ${Buffer.concat(parts)}`);
    },
  };
}

let tries = 0;

function runRound(
  { port, api }: ServedWorld,
  predicts: Pick<Arrivals, 'nextRequest' | 'check'>,
  signInsPerSecond: number,
): Promise<Round> {
  const statuses = new Map<number, number>();
  const signIns: Omit<Arrivals, 'connections'> = {
    perSecond: signInsPerSecond,
    nextRequest: () => {
      const username = usernameOf('people', tries++ % PEOPLE);
      return loginRequest(port, { username, password: PASSWORD, address: '10.0.0.1' });
    },
    check: ({ status, parts }) => {
      if (status !== 303 && status !== 503) throw new Error(`${status}: ${Buffer.concat(parts)}`);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    },
  };
  return withConnections(port, PREDICT_CONNECTIONS, (connections) =>
    withConnections(port, SIGN_IN_CONNECTIONS, async (others) => {
      const streams = [{ ...predicts, perSecond: PREDICTS_PER_SECOND, connections }];
      if (signInsPerSecond > 0) streams.push({ ...signIns, connections: others });
      const before = cpuSecondsOf(api.pid);
      const [latencies = [], signInMs = []] = await runOpenLoop(streams, ROUND_MS);
      const sorted = latencies.toSorted((a, b) => a - b);
      return {
        p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
        medianMs: spreadOf(sorted).median,
        ...{ signedIn: statuses.get(303) ?? 0, refused: statuses.get(503) ?? 0 },
        longestMs: Math.max(0, ...signInMs),
        cores: ((cpuSecondsOf(api.pid) - before) * 1000) / ROUND_MS,
      };
    }),
  );
}

/** CPU of hashes that are made one after the other in this process, while the service is idle. */
function cpuMsOfHashes(): readonly number[] {
  return Array.from({ length: HASHES }, () => {
    const before = process.cpuUsage();
    argon2Sync('argon2id', { message: PASSWORD, nonce: randomBytes(16), parallelism: 1, tagLength: 32, ...COST });
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
}
