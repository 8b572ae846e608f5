import { JOBS, type Job, refOf } from './jobs.ts';
import { NAMES, SERVICES, toLoginLetters } from './names.ts';

const AS_OF = Date.parse('2026-11-01T08:00:00.000Z');
const CONTRACTS_END = '2035-01-01T00:00:00.000Z';
const DAY_MS = 86_400_000;

/** All workers of the sample company, as records of an import, job by job. */
export function buildStaff(random: () => number): readonly object[] {
  const taken = new Set<string>();
  const seats = JOBS.flatMap((job) => Array.from({ length: job.count }, (_, seat) => ({ job, seat })));
  return seats.map(({ job, seat }, at) => {
    const id = `i-${String(at + 1).padStart(4, '0')}`;
    const person = job.identityProfile === 'ip-services' ? serviceOf(seat) : personOf(random, taken, at);
    return {
      kind: 'identity',
      id,
      ...person,
      capabilities: job.capabilities?.[seat] ?? [],
      identityProfile: job.identityProfile ?? 'ip-employees',
      access: accessOf(job, seat, random),
    };
  });
}

const serviceOf = (seat: number) => ({ uid: `svc-${SERVICES[seat]}`, displayName: `Service: ${SERVICES[seat]}` });

function personOf(random: () => number, taken: Set<string>, at: number) {
  const [firstname, lastname] = freeName(random, taken);
  const uid = `${toLoginLetters(firstname)}.${toLoginLetters(lastname)}`;
  const lastLogin = AS_OF - Math.floor(random() ** 3 * 60 * DAY_MS);
  return {
    uid,
    displayName: `${firstname} ${lastname}`,
    firstname,
    lastname,
    email: `${uid}@example.com`,
    workPhone: `+49 30 23125 ${String(at).padStart(3, '0')}`,
    identificationNumber: `E${10_001 + at}`,
    lastPasswordChangeDate: new Date(AS_OF - Math.floor(random() * 90) * DAY_MS).toISOString(),
    // Some have never signed in.
    lastLoginTimestamp: random() < 0.03 ? null : lastLogin,
  };
}

function freeName(random: () => number, taken: Set<string>): readonly [string, string] {
  for (;;) {
    const { first, last } = pick(NAMES, random);
    const name = [pick(first, random), pick(last, random)] as const;
    const uid = name.map(toLoginLetters).join('.');
    if (taken.has(uid)) continue;
    taken.add(uid);
    return name;
  }
}

const BASE_ROLES = {
  'ip-employees': ['r-employee'],
  'ip-access-office': ['r-employee'],
  'ip-administrators': ['r-employee'],
  'ip-contractors': ['r-external'],
  'ip-services': [],
} as const;

function accessOf(job: Job, seat: number, random: () => number) {
  const base = BASE_ROLES[job.identityProfile ?? 'ip-employees'];
  const some = Object.entries(job.some ?? {}).flatMap(([id, share]) => (random() < share ? [id] : []));
  const leftover = job.leftovers?.[seat - 1];
  const refs = [...base, ...job.access, ...some, ...(leftover === undefined ? [] : [leftover])].map(refOf);
  // The access of contractors ends with their contract.
  return job.identityProfile === 'ip-contractors' ? refs.map((ref) => ({ ...ref, end: CONTRACTS_END })) : refs;
}

function pick<T>(items: readonly T[], random: () => number): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}
