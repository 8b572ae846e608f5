import type { Caller } from '../http/caller.ts';
import { entitlements, identity, policies, STAFF } from './attack-models.ts';
import { type Attacker, keepSending } from './attacker.ts';
import type { NeighbourRow } from './row.ts';

const ITEMS = 50;
const EXCEPTIONS = '/sod-exceptions/v1';
const POLICY = '/sod-policies/v1/p-0';
const DAY_MS = 86_400_000;
const APPROVED = 'approved';
const PATCHED = 'patched';

const SPAN_MS = 250 * DAY_MS;

/** Holds everything that the policy names. */
const ROLE = {
  kind: 'role',
  id: 'r-all',
  name: 'Everything',
  entitlements: entitlements(2 * ITEMS).map(({ id }) => id),
};

/** An identity that has the whole conflict in each of many windows, as a subject of exceptions. */
function subject(id: string, windows: number) {
  const stepMs = SPAN_MS / windows;
  const nowMs = Date.now();
  const access = Array.from({ length: windows }, (_, at) => {
    const [start, end] = [at + 1, at + 1.5].map((step) => new Date(nowMs + step * stepMs).toISOString());
    return { type: 'ROLE', id: ROLE.id, start, end };
  });
  return identity(id, { access });
}

const exceptionsInTime: NeighbourRow = {
  id: '4',
  title: 'exceptions of an identity with thousands of windows',
  prepare: async (attacker) => {
    const { load, pick, actAs, send, count } = attacker;
    const administrator = { capabilities: ['ORG_ADMIN', 'POLICY_ADMIN'] };
    const staff = [identity('i-ada', administrator), identity('i-ben', administrator)];
    await load([
      ...entitlements(2 * ITEMS),
      STAFF,
      ROLE,
      ...staff,
      ...policies({ count: 1, items: ITEMS, drawnFrom: 2 * ITEMS }),
    ]);
    const subjects = Array.from({ length: pick(4, 2) }, (_, at) => `i-subject-${at}`);
    for (const id of subjects) await loadSubject(attacker, id);
    const ada = await actAs('i-ada');
    const ben = await actAs('i-ben');
    const patch = (number: number) =>
      send({
        path: POLICY,
        method: 'PATCH',
        body: JSON.stringify([{ op: 'replace', path: '/description', value: `${number}` }]),
        type: 'application/json-patch+json',
      });
    return {
      run: () =>
        keepSending(attacker, subjects.length, async (number) => {
          const id = await request(ada, subjects[number % subjects.length] ?? '');
          const approved = id === null ? null : await ben({ path: `${EXCEPTIONS}/${id}/approve`, body: '{}' });
          if (approved?.status === 200) count(APPROVED);
          if ((await patch(number)).status === 200) count(PATCHED);
          if (id !== null) await ben({ path: `${EXCEPTIONS}/${id}/revoke`, body: '{}' });
        }),
      least: { outcomes: { [APPROVED]: pick(20, 2), [PATCHED]: pick(20, 2) } },
    };
  },
};

/** As many windows as the attack wants or, if the service refuses them, as many as it takes. */
async function loadSubject({ load, pick }: Attacker, id: string): Promise<void> {
  try {
    await load([subject(id, pick(8_000, 2_000))]);
  } catch {
    await load([subject(id, 1_000)]);
  }
}

/** Requests an exception; null if it was refused. */
async function request(ada: Caller, identityId: string): Promise<string | null> {
  const [start, end] = [0, 300].map((days) => new Date(Date.now() + days * DAY_MS).toISOString());
  const wish = { policyId: 'p-0', identityId, start, end, justification: 'for a while' };
  const requested = await ada({ path: EXCEPTIONS, body: JSON.stringify(wish) });
  return requested.status === 201 ? JSON.parse(requested.text).id : null;
}

export const rowsOfExceptions = [exceptionsInTime];
