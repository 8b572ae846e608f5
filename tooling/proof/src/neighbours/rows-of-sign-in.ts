import { createCaller } from '../http/caller.ts';
import type { Fleet } from '../service/open-fleet.ts';
import { keepSending } from './attacker.ts';
import type { NeighbourRow } from './row.ts';

const FORM = 'application/x-www-form-urlencoded';
const WRONG_AT_ONCE = 60;
/** Beside the time of an answer, about 90 attempts a second. */
const WRONG_EVERY_MS = 600;
const PEOPLE = 10;
/** Each less than ten times a minute. */
const RIGHT_EVERY_MS = 700;
const RIGHT_FROM = '127.0.0.3';
const PASSWORD = 'a long enough sentence';

/** People of the tenant whose pages these are, each with a password. */
async function enrolPeople({ api, root }: Fleet): Promise<readonly string[]> {
  const uids = Array.from({ length: PEOPLE }, (_, at) => `signs-in-${at}`);
  const profile = { kind: 'identityProfile', id: 'ip-sign-in', name: 'Sign-in', authProfile: { type: 'NON_PTA' } };
  const people = uids.map((uid) => ({ kind: 'identity', id: uid, uid, identityProfile: 'ip-sign-in' }));
  await root.accessModel.import([profile, ...people] as Parameters<typeof root.accessModel.import>[0]);
  const send = pageCaller(api.baseAddress, RIGHT_FROM);
  for (const uid of uids) {
    const { url } = await root.authUsers.createSignInLink(uid);
    const { status } = await send(new URL(url).pathname, { password: PASSWORD, repeated: PASSWORD });
    if (status !== 303) throw new Error(`no password for ${uid}: ${status}`);
  }
  return uids;
}

/** Sends forms as a page of the service does. */
function pageCaller(baseAddress: string, from: string, signal?: AbortSignal) {
  const send = createCaller({ baseAddress, from, token: null, ...(signal === undefined ? {} : { signal }) });
  return (path: string, fields: Record<string, string>) =>
    send({
      path,
      body: new URLSearchParams(fields).toString(),
      type: FORM,
      headers: { origin: baseAddress, 'sec-fetch-site': 'same-origin' },
    });
}

const wrongPasswords: NeighbourRow = {
  id: '14',
  title: '90 wrong passwords a second, beside right ones from elsewhere',
  prepare: async (attacker, fleet) => {
    const { pick, pause, count, signal, sendAnonymously } = attacker;
    const uids = await enrolPeople(fleet);
    const { baseAddress } = fleet.api;
    const refused: string[] = [];
    let served = 0;
    const tryWrong = async (number: number) => {
      const body = new URLSearchParams({ username: `nobody-${number}`, password: 'wrong password' }).toString();
      await sendAnonymously({ path: '/login', body, type: FORM, headers: { origin: baseAddress } });
      await pause(WRONG_EVERY_MS);
    };
    const sendRight = pageCaller(baseAddress, RIGHT_FROM);
    const tryRight = async (number: number) => {
      const { status } = await sendRight('/login', { username: uids[number % PEOPLE] ?? '', password: PASSWORD });
      if (status === 303) served += 1;
      else refused.push(String(status));
      if (status === 303) count('signed in');
      await pause(RIGHT_EVERY_MS);
    };
    return {
      run: async () =>
        void (await Promise.all([
          keepSending({ signal }, WRONG_AT_ONCE, tryWrong),
          keepSending({ signal }, 1, tryRight),
        ])),
      least: { outcomes: { 401: pick(50, 5), 429: pick(200, 1), 'signed in': pick(10, 1) } },
      verify: async () =>
        refused.length === 0
          ? []
          : [`${refused.length} of ${served + refused.length} right sign-ins were refused, such as with ${refused[0]}`],
    };
  },
};

export const rowsOfSignIn = [wrongPasswords];
