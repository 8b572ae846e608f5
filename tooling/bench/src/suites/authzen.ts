import { measureCosts, withOwnGenerator } from '../http/server-costs.ts';
import { postRequest } from '../load/predict-request.ts';
import type { SuiteResult } from '../measure/report.ts';
import { measureInterleaved, ratioOf, spreadOf } from '../measure/rounds.ts';
import { requestToken } from '../servers/request-token.ts';
import { serveWorld } from '../servers/served-world.ts';
import { createWorld, identityId } from '../world/create-world.ts';

const SIZE = { seed: 20_261_121, entitlements: 50_000, policies: 10_000, identities: 2_000, questions: 4096 };
const ROUND_MS = 1_000;
const PREDICT = '/sod-violations/v1/predict';
const EXPLAIN = `${PREDICT}?include=remediation`;
const EVALUATE = '/access/v1/evaluation';

/** Evaluations and reservations beside predictions of the same questions. */
export async function run(): Promise<SuiteResult> {
  const { questions, ...world } = createWorld(SIZE);
  await using served = await serveWorld(world);
  const { api, port } = served;
  const { sodViolations, sodReservations, uiMetadata } = api.client;
  const target = { port, token: await requestToken(api.baseAddress, served.service.credentials) };
  const asked = questions.map(({ identity, accessRefs }) => ({ identityId: identityId(identity), accessRefs }));
  const denied = new Set<(typeof asked)[number]>();
  for (const each of asked) if ((await sodViolations.predict(each)).violationContexts.length > 0) denied.add(each);
  const permitted = asked.filter((each) => !denied.has(each));
  const load = (name: string, path: string, bodies: readonly object[]) => {
    const requests = bodies.map((body) => postRequest(path, target, { body: JSON.stringify(body), accept: null }));
    return withOwnGenerator({ name, port, pid: api.pid, requests });
  };
  const evaluationOf = ({ identityId: id, accessRefs }: (typeof asked)[number]) => ({
    subject: { type: 'identity', id },
    action: { name: 'request' },
    resource: { type: 'access_request', id: 'REQ-1', properties: { accessRefs } },
  });
  const loads = [
    load('predictions of what is permitted', PREDICT, permitted),
    load('evaluations of what is permitted', EVALUATE, permitted.map(evaluationOf)),
    load('predictions of what is denied, with remedies', EXPLAIN, [...denied]),
    load('evaluations of what is denied', EVALUATE, [...denied].map(evaluationOf)),
  ];
  // Only the first load of a process is warmed up.
  await measureCosts(loads, 1);
  const costs = await measureCosts(loads);
  const [predicted = [], evaluated = [], explained = [], refused = []] = costs.map(({ perSecond }) => perSecond);

  const bodyOf = (turn: number) => asked[turn % asked.length] ?? { identityId: '', accessRefs: [] };
  // One caller: commits of several would share a sync.
  const works = {
    predict: (turn: number) => sodViolations.predict(bodyOf(turn)),
    'audited write': (turn: number) => uiMetadata.set({ usernameLabel: String(turn) }),
    reserve: (turn: number) => sodReservations.create({ ...bodyOf(turn), onConflict: 'RESERVE' }),
  };
  const micros = await measureInterleaved(Object.values(works), ROUND_MS);
  const [predict = [], write = [], reserve = []] = micros;
  const both = predict.map((each, round) => each + (write[round] ?? Number.NaN));
  const values = (name: string, each: readonly number[] = []) => ({ name, spread: spreadOf(each) });
  const share = (name: string, of: readonly number[], all: readonly number[]) => ({ name, spread: ratioOf(of, all) });
  return {
    name: 'authzen',
    tables: [],
    figures: [
      ...loads.map(({ server: { name } }, at) => values(`${name}/s`, costs[at]?.perSecond)),
      { ...share('evaluations, share of predictions, permitted', evaluated, predicted), goal: 0.8 },
      share('evaluations, share of predictions with remedies, denied', refused, explained),
      ...Object.keys(works).map((name, at) => values(`${name} of one caller, µs`, micros[at])),
      { ...share('reserve, times a predict and an audited write', reserve, both), goal: 2, less: true },
    ],
    raw: { ...SIZE, denied: denied.size, costs, micros },
  };
}
