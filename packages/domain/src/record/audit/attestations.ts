/** The operation whose events attest what erasures have changed. */
export const ERASURE_OPERATION = 'erase-identity-v1';

/** The field of such an event with the entries. */
export const ERASED_FIELD = 'erased';

/** An event that an erasure has changed, and the hash of its present content. */
export interface ErasedEntry {
  readonly sequence: number;
  readonly hash: string;
}

/** The erased events of a log whose attestation has not been read yet. An `erased` of its own proves nothing: any writer of the table could add it. */
export interface Attestations<Event> {
  /** Takes note of what an event attests, which is as it was recorded. */
  read(event: Event): void;
  /**
   * An event of another hash, which later ones must attest: the last one the hash of what it says, null for none, and one of each
   * person that it was erased from that person. False where it has not the form of an erased event.
   */
  expect(event: Event, said: string | null): boolean;
  /** The first event that is not attested; null where there is none. */
  first(): Event | null;
  /** How many events were changed. */
  count(): number;
}

/** For the verification of one log, whose events are passed in their order. They may be of any form. */
export function createAttestations<Event extends object>(): Attestations<Event> {
  const expected = new Map<unknown, Expected<Event>>();
  let count = 0;
  const attest = (attestation: Attestation): readonly Event[] =>
    attestation.entries.flatMap(({ sequence, hash }) => {
      const entry = expected.get(sequence);
      if (entry === undefined || !(Number(sequence) < attestation.sequence)) return [];
      entry.unnamed.delete(attestation.pseudonym);
      entry.isAttested ||= entry.said === hash;
      if (!entry.isAttested || entry.unnamed.size > 0) return [];
      expected.delete(sequence);
      return [entry.event];
    });
  return {
    read: (event) => {
      // Only the identity that asked is erased from an attestation: once attested, it attests as before.
      const sound: unknown[] = [event];
      for (const each of sound) {
        const attestation = attestationOf(each);
        if (attestation !== null) sound.push(...attest(attestation));
      }
    },
    expect: (event, said) => {
      const pseudonyms = pseudonymsIn(event);
      if (said === null || pseudonyms === null) return false;
      count += 1;
      expected.set(Reflect.get(event, 'sequence'), { event, said, unnamed: pseudonyms, isAttested: false });
      return true;
    },
    first: () => expected.values().next().value?.event ?? null,
    count: () => count,
  };
}

interface Expected<Event> {
  readonly event: Event;
  /** The hash of its present content. */
  readonly said: string;
  /** The pseudonyms in it, less those of the erasures that attested it. */
  readonly unnamed: Set<unknown>;
  isAttested: boolean;
}

interface Attestation {
  readonly sequence: number;
  readonly pseudonym: unknown;
  readonly entries: readonly Json[];
}

type Json = Readonly<Record<string, unknown>>;

function attestationOf(event: unknown): Attestation | null {
  if (!isObject(event)) return null;
  const { sequence, operation, outcome, resource, changes } = event;
  if (operation !== ERASURE_OPERATION || outcome !== 'ALLOWED' || typeof sequence !== 'number') return null;
  const entries = objectsIn(changes).flatMap(({ field, after }) => (field === ERASED_FIELD ? objectsIn(after) : []));
  return { sequence, pseudonym: isObject(resource) ? resource['id'] : null, entries };
}

const PSEUDONYM = /^erased-[0-9a-f]{8}$/;
const DIGEST = /^[0-9a-f]{64}$/;
/** Where an event can name a person. */
const PLACE = /^\/(?:actor\/identityId|resource\/id|changes\/\d+\/(?:field|(?:before|after)(?:\/.*)?))$/s;

/** What stands where an erased event says that it was changed; null where that cannot come from an erasure. */
function pseudonymsIn(event: object): Set<unknown> | null {
  const erased: unknown = Reflect.get(event, 'erased');
  if (!isObject(erased)) return null;
  const { fields, digest, ...others } = erased;
  const isFormed = typeof digest === 'string' && DIGEST.test(digest) && Object.keys(others).length === 0;
  if (!isFormed || !Array.isArray(fields) || fields.length === 0) return null;
  const found = fields.map((pointer) =>
    typeof pointer === 'string' && PLACE.test(pointer) ? valueAt(event, pointer) : null,
  );
  return found.every((value) => typeof value === 'string' && PSEUDONYM.test(value)) ? new Set(found) : null;
}

const valueAt = (value: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (at, part) => (typeof at === 'object' && at !== null && Object.hasOwn(at, part) ? Reflect.get(at, part) : null),
      value,
    );

const objectsIn = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isObject) : []);

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
