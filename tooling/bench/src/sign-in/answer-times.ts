import { withConnections } from '../load/http-connection.ts';
import { figure, type SuiteResult } from '../measure/report.ts';
import { spreadOf } from '../measure/rounds.ts';
import { openMeasuredService } from '../servers/open-measured-service.ts';
import { createRandom } from '../world/random.ts';
import { addPeople, loginRequest, PASSWORD, usernameOf } from './people.ts';

const SEED = 20_261_121;
/** The most refused sign-ins of each kind, and how long they are sent. */
const TRIES = Number(process.env['BENCH_TRIES'] ?? 10_000);
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 60);
/**
 * So few sign-ins wait at once that most hashes are made within one step of half a second: otherwise medians jump from one
 * step to the next.
 */
const CONNECTIONS = 6;
/** Below the failures that lock a user and an address. */
const TRIES_OF_USER = 4;
const TRIES_OF_ADDRESS = 50;
const KINDS = ['unknown user', 'wrong password', 'blocked profile, wrong password', 'blocked profile, right password'];

interface Try {
  readonly kind: number;
  readonly request: Buffer;
}

/** How long the refusals of several kinds of sign-ins take, sent in turn in random order. */
export async function measureAnswerTimes(): Promise<Omit<SuiteResult, 'name'>> {
  await using service = openMeasuredService();
  const api = await service.startApi({ TRUSTED_PROXIES: '127.0.0.1' });
  const count = Math.ceil(TRIES / TRIES_OF_USER);
  const groups = [
    { profile: 'wrong', type: 'NON_PTA', count },
    { profile: 'blocked', type: 'BLOCK', count: 2 * count },
  ] as const;
  await addPeople({ service, api }, groups);
  const port = Number(new URL(api.baseAddress).port);
  const tries = drawTries(port);
  const times = KINDS.map((): number[] => []);
  const bodies = new Set<string>();
  let unserved = 0;
  const start = performance.now();
  await withConnections(port, CONNECTIONS, async (connections) => {
    const takeTries = async (connection: (typeof connections)[number]) => {
      for (let next = tries.pop(); next !== undefined; next = tries.pop()) {
        const startMs = performance.now();
        if (startMs - start > SECONDS * 1000) return;
        const { status, parts } = await connection.exchange(next.request);
        const ms = performance.now() - startMs;
        const body = Buffer.concat(parts).toString();
        // The password waited too long for a thread: nothing was verified.
        if (status === 503) {
          unserved += 1;
          continue;
        }
        times[next.kind]?.push(ms);
        bodies.add(`${status} ${body}`);
        if (status !== 401) throw new Error(`${status}: ${body}`);
      }
    };
    await Promise.all(connections.map(takeTries));
  });
  const seconds = (performance.now() - start) / 1000;
  // Not one answer may differ from the others in a byte.
  if (bodies.size !== 1) throw new Error(`The refusals have ${bodies.size} different bodies.`);
  return resultOf(times, { seconds, unserved });
}

/** Each kind once in each four, in random order, so that none of them always follows another. */
function drawTries(port: number): Try[] {
  const random = createRandom(SEED);
  const tries: Try[] = [];
  for (let turn = 0; turn < TRIES; turn++) {
    const user = Math.floor(turn / TRIES_OF_USER);
    const usernames = [
      `nobody-${user}`,
      usernameOf('wrong', user),
      usernameOf('blocked', 2 * user),
      usernameOf('blocked', 2 * user + 1),
    ];
    const order = KINDS.map((_, kind) => ({ kind, place: random.next() })).toSorted((a, b) => a.place - b.place);
    for (const { kind } of order) {
      const from = Math.floor(tries.length / TRIES_OF_ADDRESS);
      const address = `10.${from >> 16}.${(from >> 8) & 255}.${from & 255}`;
      const password = kind === 3 ? PASSWORD : 'a wrong horse battery staple';
      tries.push({ kind, request: loginRequest(port, { username: usernames[kind] ?? '', password, address }) });
    }
  }
  return tries;
}

const shareOf = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;

function resultOf(
  times: readonly (readonly number[])[],
  { seconds, unserved }: { readonly seconds: number; readonly unserved: number },
): Omit<SuiteResult, 'name'> {
  const medians = times.map((each) => spreadOf(each).median);
  const difference = differenceOf(medians);
  return {
    tables: [
      {
        header: [
          `refused sign-ins in ${figure(seconds)} s, ms`,
          ...['number', 'lower quartile', 'median', 'upper quartile', 'p95', 'longest'],
        ],
        rows: times.map((each, kind) => [
          KINDS[kind] ?? '',
          String(each.length),
          ...[0.25, 0.5, 0.75, 0.95, 1 - 1 / each.length].map((share) => shareOf(each, share).toFixed(2)),
        ]),
      },
    ],
    figures: [
      {
        name: 'largest difference between medians of refused sign-ins in ms',
        spread: spreadOf([difference]),
        ...{ goal: 5, less: true },
      },
      {
        name: 'the same, between their 95th percentiles',
        spread: spreadOf([differenceOf(times.map((each) => shareOf(each, 0.95)))]),
      },
    ],
    raw: { answerTimes: { seed: SEED, seconds, unserved, kinds: KINDS, times } },
  };
}

const differenceOf = (values: readonly number[]): number => Math.max(...values) - Math.min(...values);
