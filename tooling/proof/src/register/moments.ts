import { setTimeout as delay } from 'node:timers/promises';
import type { AccessAdminClient, AccessModelInput, SodViolation } from '@access-admin/client';
import { type Campaign, type CampaignRun, type Engine, type Outcome, summed } from '../campaign/campaign.ts';
import { createRandom, drawOne, type Random } from '../campaign/random.ts';
import { openSql, type Sql } from '../service/open-database.ts';
import { type Fleet, openFleet } from '../service/open-fleet.ts';
import { awaitRegister } from './audit.ts';
import { type Expected, type MomentAnswer, type State, verifyMoment } from './verify-moment.ts';

const SOLOS = 12;
/** More than a worker stores in one transaction, on either engine. */
const CROWD = 2_500;
const READERS = 4;
const PAUSE_MS_MAX = 60;
/** Readers go on until the crowd has changed so often. */
const CROWD_CHANGES_MIN = 6;
/** The control goes on for so many times as many answers, until it has found something. */
const CONTROL_TIMES = 10;

/** R2: each answer about the register is right at its moment, and the moments of a reader do not go back. */
export const registerMoments: Campaign = {
  id: 'R2',
  title: `answers about the register while identities, ${CROWD.toLocaleString('en-US')} of them at a time, and policies change`,
  unit: 'answers',
  full: 5_000,
  short: 600,
  engines: ['sqlite', 'postgres'],
  run: (run) => readWhileChanging(run),
  control: (run) => readWhileChanging(run, showStagedRows),
};

const ref = (id: string) => ({ type: 'ENTITLEMENT', id }) as const;
const side = (id: string) => ({ criteriaList: [ref(id)] });
const person = (id: string, held: readonly string[]): AccessModelInput => ({
  kind: 'identity',
  id,
  uid: id,
  identityProfile: 'ip-staff',
  access: held.map(ref),
});
const policy = (
  id: string,
  [left, right]: readonly [string, string],
  state: 'ENFORCED' | 'NOT_ENFORCED',
): AccessModelInput => ({
  kind: 'sodPolicy',
  id,
  name: id,
  state,
  conflictingAccessCriteria: { leftCriteria: side(left), rightCriteria: side(right) },
});

const SOLO = 'p-solo';
const OF_CROWD = 'p-crowd';
const soloIds = Array.from({ length: SOLOS }, (_, at) => `solo-${at}`);
const crowdOf = (held: readonly string[]) => Array.from({ length: CROWD }, (_, at) => person(`crowd-${at}`, held));
const MODEL: readonly AccessModelInput[] = [
  ...['a', 'b', 'c', 'd'].map((id) => ({ kind: 'entitlement' as const, id, name: id })),
  { kind: 'identityProfile', id: 'ip-staff', name: 'Staff' },
  policy(SOLO, ['a', 'b'], 'ENFORCED'),
  policy(OF_CROWD, ['c', 'd'], 'ENFORCED'),
  ...soloIds.map((id) => person(id, ['a'])),
  ...crowdOf(['c']),
];

type Plant = (sql: Sql, engine: Engine) => Promise<void>;

/** What a round stages is shown at once, before the round is concluded. */
const showStagedRows: Plant = async (sql, engine) => {
  if (engine === 'sqlite') {
    await sql.run(`create trigger shown after insert on sod_violation when new.from_round > 0
      begin update sod_violation set from_round = 0 where rowid = new.rowid; end`);
    return;
  }
  await sql.run(
    `create function shown() returns trigger language plpgsql as 'begin new.from_round := 0; return new; end'`,
  );
  await sql.run('create trigger shown before insert on sod_violation for each row execute function shown()');
};

async function readWhileChanging(run: CampaignRun, plant?: Plant): Promise<Outcome> {
  const { engine, seed, count, log, signal } = run;
  await using fleet = await openFleet(engine, { apis: 2, workers: 2 });
  await fleet.root.accessModel.import(MODEL);
  if (!(await awaitRegister(fleet.root, signal))) throw new Error('The register is not filled.');
  if (plant !== undefined) {
    await using sql = await openSql(fleet.database);
    await plant(sql, engine);
  }
  const writer = startWriter(fleet, createRandom(seed));
  const seen = { answers: 0, wrong: [] as string[] };
  // What is planted is seen for moments only.
  const isOver = () =>
    plant === undefined
      ? seen.answers >= count && writer.crowdChanges() >= CROWD_CHANGES_MIN
      : seen.answers >= count * CONTROL_TIMES || seen.wrong.length > 0;
  const readers = Array.from({ length: READERS }, async (_, number) => {
    const reader = await createReader(fleet, createRandom(seed + 1 + number));
    let before = '';
    while (!isOver() && !writer.hasFailed()) {
      signal.throwIfAborted();
      const answer = await reader.read();
      seen.wrong.push(...verifyMoment(answer, { states: writer.states, before }));
      if (answer.asOf !== null && answer.asOf > before) before = answer.asOf;
      seen.answers += 1;
      if (seen.answers % 5_000 === 0) log(`${seen.answers} answers`);
    }
  });
  try {
    await Promise.all(readers);
  } finally {
    await writer.stop();
  }
  const { changes } = writer;
  return {
    counts: { answers: seen.answers, ...changes, wrong: seen.wrong.length },
    broken: [...summed('wrong answers', seen.wrong), ...fleet.crashes()],
  };
}

/** Makes one change after the other, through any API, and keeps the states that they lead to. */
function startWriter(fleet: Fleet, random: Random) {
  const clients = fleet.connect();
  const states: State[] = [
    {
      begunMs: Number.NEGATIVE_INFINITY,
      answeredMs: Number.NEGATIVE_INFINITY,
      expected: { solos: new Set(), crowd: 0 },
    },
  ];
  const changes = { 'single changes': 0, 'imports of the crowd': 0, 'changes of its policy': 0, reassigned: 0 };
  const solos = new Set<string>();
  let isCrowdViolating = false;
  let isEnforced = true;
  let isStopping = false;
  let failure: unknown = null;
  const importNext = async (records: readonly AccessModelInput[]) => {
    const expected: Expected = { solos: new Set(solos), crowd: isCrowdViolating && isEnforced ? CROWD : 0 };
    const state = { begunMs: Date.now(), answeredMs: Number.POSITIVE_INFINITY, expected };
    states.push(state);
    await drawOne(random, clients).accessModel.import(records);
    state.answeredMs = Date.now();
  };
  const changeOne = async () => {
    const drawn = random(20);
    if (drawn < 14) {
      const id = drawOne(random, soloIds);
      if (!solos.delete(id)) solos.add(id);
      changes['single changes'] += 1;
      await importNext([person(id, solos.has(id) ? ['a', 'b'] : ['a'])]);
    } else if (drawn < 16 && isEnforced) {
      isCrowdViolating = !isCrowdViolating;
      changes['imports of the crowd'] += 1;
      await importNext(crowdOf(isCrowdViolating ? ['c', 'd'] : ['c']));
    } else if (drawn < 17) {
      isEnforced = !isEnforced;
      changes['changes of its policy'] += 1;
      await importNext([policy(OF_CROWD, ['c', 'd'], isEnforced ? 'ENFORCED' : 'NOT_ENFORCED')]);
    } else if (await reassignOne(drawOne(random, clients), random)) changes.reassigned += 1;
  };
  const working = (async () => {
    try {
      while (!isStopping) {
        await changeOne();
        await delay(random(PAUSE_MS_MAX));
      }
    } catch (error) {
      failure = error;
    }
  })();
  return {
    states: states as readonly State[],
    changes,
    crowdChanges: () => changes['imports of the crowd'] + changes['changes of its policy'],
    hasFailed: () => failure !== null,
    stop: async () => {
      isStopping = true;
      await working;
      if (failure !== null) throw failure;
    },
  };
}

/** Gives a violation another owner, if there is one that lasts; whether it did. */
async function reassignOne({ violations }: AccessAdminClient, random: Random): Promise<boolean> {
  const { items } = await violations.page({ filters: 'status eq "Open"', limit: 5 });
  if (items.length === 0) return false;
  const { id, target } = drawOne(random, items);
  const [owner = ''] = soloIds.filter((each) => each !== target.id);
  // It may end meanwhile.
  return violations.reassign(id, owner).then(
    (reassigned) => reassigned !== null,
    () => false,
  );
}

/** Reads the register in any way, at any API. */
async function createReader(fleet: Fleet, random: Random) {
  const { id, secret } = await fleet.register();
  const tokens = fleet.apis.map(({ baseAddress }) => createTokens(baseAddress, { id, secret }));
  const get = async (path: string) => {
    const { baseAddress, current } = drawOne(random, tokens);
    const token = await current();
    const answer = await fetch(`${baseAddress}${path}`, { headers: { authorization: `Bearer ${token}` } });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return {
      asOf: answer.headers.get('x-as-of'),
      total: answer.headers.get('x-total-count'),
      text: await answer.text(),
    };
  };
  const list = async (filters: string | null, more: string) => {
    const filtering = filters === null ? '' : `filters=${encodeURIComponent(filters)}&`;
    const { asOf, total, text } = await get(`/violations/v1?${filtering}${more}`);
    const violations: readonly SodViolation[] = JSON.parse(text);
    return { asOf, violations, total: Number(total) };
  };
  const PRESENT = 'status in ("Open", "Mitigated")';
  const idsOf = (violations: readonly SodViolation[]) =>
    violations.flatMap(({ target, closed, policy: { id: of } }) => (closed === null && of === SOLO ? target.id : []));
  const ways: readonly (() => Promise<MomentAnswer>)[] = [
    async () => {
      const { asOf, violations } = await list(`policyId eq "${SOLO}" and ${PRESENT}`, 'limit=250');
      return { operation: 'a list', asOf, violations, solos: idsOf(violations) };
    },
    async () => {
      const { asOf, violations } = await list(null, 'limit=250&sorters=-modified');
      return { operation: 'the last changes', asOf, violations };
    },
    async () => {
      const { asOf, violations, total } = await list(`policyId eq "${OF_CROWD}" and ${PRESENT}`, 'limit=20&count=true');
      return { operation: 'a count', asOf, violations, crowd: total };
    },
    async () => {
      const { asOf, violations, total } = await list(PRESENT, 'limit=20&count=true&sorters=-level');
      return { operation: 'a kept count', asOf, violations, present: total };
    },
    async () => {
      const { asOf, open, byPolicy }: Summary = JSON.parse((await get('/violations/v1/summary?days=1')).text);
      const crowd = byPolicy.find(({ policy: { id: of } }) => of === OF_CROWD)?.open ?? 0;
      return { operation: 'a summary', asOf, violations: [], present: open, crowd };
    },
    async () => {
      const { violations } = await list(null, 'limit=10');
      if (violations.length === 0) return ways[0]?.() ?? never();
      const shown: SodViolation = JSON.parse((await get(`/violations/v1/${drawOne(random, violations).id}`)).text);
      // The end of an ended one is no moment of the register.
      if (shown.closed !== null) return ways[0]?.() ?? never();
      return { operation: 'a violation', asOf: shown.lastEvaluatedDate, violations: [shown] };
    },
    async () => {
      const { asOf, text } = await get(`/violations/v1/export?filters=${encodeURIComponent(PRESENT)}`);
      const violations = text.split('\n').flatMap((line): SodViolation[] => (line === '' ? [] : [JSON.parse(line)]));
      const crowd = violations.filter(({ policy: { id: of } }) => of === OF_CROWD).length;
      return { operation: 'an export', asOf, violations, solos: idsOf(violations), crowd };
    },
  ];
  return { read: () => drawOne(random, ways)() };
}

interface Summary {
  readonly asOf: string | null;
  readonly open: number;
  readonly byPolicy: readonly { readonly policy: { readonly id: string }; readonly open: number }[];
}

function never(): never {
  throw new Error('There is always a list.');
}

interface Secret {
  readonly id: string;
  readonly secret: string;
}

/** A third of the lifetime of a token. */
const RENEW_AFTER_MS = 5 * 60_000;

/** The tokens of a client at an API. */
function createTokens(baseAddress: string, client: Secret) {
  let requestedMs = Number.NEGATIVE_INFINITY;
  let token = '';
  return {
    baseAddress,
    current: async () => {
      if (performance.now() - requestedMs < RENEW_AFTER_MS) return token;
      token = await requestToken(baseAddress, client);
      requestedMs = performance.now();
      return token;
    },
  };
}

async function requestToken(baseAddress: string, { id, secret }: Secret): Promise<string> {
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret });
  const answer = await fetch(`${baseAddress}/oauth/token`, { method: 'POST', body: form });
  const { access_token: token } = Object(await answer.json());
  if (typeof token !== 'string') throw new Error(`no token: ${answer.status}`);
  return token;
}
