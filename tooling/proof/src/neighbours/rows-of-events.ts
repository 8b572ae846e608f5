import { SAMPLE_RECORDS } from './attack-models.ts';
import { type Attacker, keepSending } from './attacker.ts';
import type { NeighbourRow } from './row.ts';
import { BEGUN, headOf, longPolicies, readSlowly } from './rows-of-sockets.ts';

const STREAMS = 500;
const READ_BYTES = 30_000;
const COMMIT_EVERY_MS = 50;
const PATCH = 'application/json-patch+json';

/** The head of a stream of events, from the oldest on or from the present with no event ever. */
const streamOf = (attacker: Attacker, query: string): Buffer =>
  Buffer.from(headOf(attacker, `GET /events/v1${query}`, 0, 'text/event-stream'));

/** Changes a policy, which is an event. */
const relabel = (number: number) => ({
  path: '/sod-policies/v1/p-long-0',
  method: 'PATCH' as const,
  type: PATCH,
  body: JSON.stringify([{ op: 'replace', path: '/description', value: `Changed ${number}` }]),
});

const eventStreams: NeighbourRow = {
  id: '12',
  title: '500 event streams beside 20 commits a second',
  prepare: async (attacker) => {
    const { load, pick, send, pause } = attacker;
    await load([...SAMPLE_RECORDS, ...longPolicies(pick(4_000, 300), '')]);
    const fromOldest = streamOf(attacker, '?after=0');
    const withoutMatch = streamOf(attacker, '?types=sign-in.blocked');
    const open = async (number: number) => {
      // A third takes nothing, a third takes a little, a third waits for what never comes.
      if (number % 3 === 2) await readSlowly(attacker, withoutMatch, READ_BYTES);
      else await readSlowly(attacker, fromOldest, number % 3 === 0 ? 0 : READ_BYTES);
    };
    const commit = async (number: number) => {
      await send(relabel(number));
      await pause(COMMIT_EVERY_MS);
    };
    return {
      run: async () =>
        void (await Promise.all([keepSending(attacker, pick(STREAMS, 60), open), keepSending(attacker, 1, commit)])),
      least: { outcomes: { [BEGUN]: pick(STREAMS, 60), 200: pick(50, 2) } },
    };
  },
};

const WEBHOOKS = 50;
const TELLERS = 2;
const TELL_EVERY_MS = 40;
const REPLAY_EVERY_MS = 500;
/** Nothing listens there: each attempt fails at once. */
export const CLOSED_ORIGIN = 'http://127.0.0.1:1';

const failingWebhooks: NeighbourRow = {
  id: '15',
  title: '50 webhooks that fail at once, with replays',
  prepare: async (attacker) => {
    const { prepare, pick, send, pause } = attacker;
    const ids: string[] = [];
    for (let number = 0; number < WEBHOOKS; number++) {
      const body = JSON.stringify({ name: `w-${number}`, url: `${CLOSED_ORIGIN}/${number}`, types: ['*'] });
      ids.push(JSON.parse((await prepare({ path: '/webhooks/v1', body })).text).id);
    }
    const tell = async (number: number) => {
      await send({
        path: '/ui-metadata/v1/tenant',
        method: 'PUT',
        headers: { 'x-service-experimental': 'true' },
        body: JSON.stringify({ usernameLabel: `label ${number}` }),
      });
      await pause(TELL_EVERY_MS);
    };
    const replay = async (number: number) => {
      const after = '0'.repeat(20);
      await send({ path: `/webhooks/v1/${ids[number % pick(WEBHOOKS, 5)]}/replay`, body: JSON.stringify({ after }) });
      await pause(REPLAY_EVERY_MS);
    };
    return {
      run: async () =>
        void (await Promise.all([keepSending(attacker, TELLERS, tell), keepSending(attacker, pick(20, 10), replay)])),
      least: { outcomes: { 200: pick(200, 10), 202: pick(WEBHOOKS, 5), 429: pick(WEBHOOKS, 1) } },
    };
  },
};

export const rowsOfEvents = [eventStreams, failingWebhooks];
