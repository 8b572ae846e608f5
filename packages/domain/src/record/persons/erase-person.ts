import { canonicalJson } from '../../basics/json/canonical.ts';
import { formatPointer } from '../../basics/json-patch/pointer.ts';
import { isObject } from '../../basics/json-patch/value.ts';
import { ERASURE_OPERATION } from '../audit/attestations.ts';
import type { AuditChange, AuditEvent } from '../audit/event.ts';
import { CALLER_TEXTS, isPersonRecord, isPersonType, PERSON_IDS, PERSON_REFS, PERSON_TEXTS } from './properties.ts';

/** An identity, and what takes the place of its texts. */
export interface Pseudonym {
  readonly id: string;
  readonly pseudonym: string;
}

/** What an object is about: the person, an account of the person, or something that names the person beside other things. */
type Subject = 'person' | 'account' | 'other' | null;

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * A JSON value in which the pseudonym stands for the id of a person where the schema of the value has the id of one, and for the
 * texts about the person beside that id. Another text that equals the id stays: it may be a word, or the id of something else.
 */
export const erasePerson = (value: unknown, who: Pseudonym): unknown => eraseProperty('', value, who);

/** As `erasePerson`, of the value of a property. */
export const eraseProperty = (field: string, value: unknown, who: Pseudonym): unknown =>
  eraseField(field, value, { subject: null, who });

interface Erasure {
  /** What the object with the property is about. */
  readonly subject: Subject;
  readonly who: Pseudonym;
}

function eraseField(field: string, value: unknown, { subject, who }: Erasure): unknown {
  const isText = subject !== null && PERSON_TEXTS.has(field) && (field !== 'name' || subject !== 'other');
  if (isText) return withoutTexts(value, who);
  // In an event about several identities, these are the attributes of one.
  const isSide = subject === 'person' && (field === 'before' || field === 'after') && isObject(value);
  return isSide ? eraseFields(value, { subject, who }) : eraseValue(field, value, { subject, who });
}

function eraseValue(field: string, value: unknown, { subject, who }: Erasure): unknown {
  if (Array.isArray(value)) return value.map((item) => eraseValue(field, item, { subject, who }));
  if (isObject(value))
    return CALLER_TEXTS.has(field)
      ? mapValues(value, (_, text) => (text === who.id ? who.pseudonym : text))
      : eraseFields(value, { subject: subjectOf(value, who, PERSON_REFS.has(field)), who });
  const isId = value === who.id && (PERSON_IDS.has(field) || (subject === 'person' && field === 'id'));
  return isId ? who.pseudonym : value;
}

function subjectOf(object: JsonObject, { id }: Pseudonym, isRef: boolean): Subject {
  if (object['id'] === id && isPerson(object, isRef)) return 'person';
  if (object['identityId'] === id) return Object.hasOwn(object, 'source') ? 'account' : 'other';
  return null;
}

const isPerson = (object: JsonObject, isRef: boolean): boolean =>
  object['type'] === undefined ? isRef || isPersonRecord(object) : isPersonType(object['type']);

const eraseFields = (object: JsonObject, erasure: Erasure): JsonObject =>
  mapValues(object, (field, value) =>
    field === 'name' ? eraseName(object, value, erasure) : eraseField(field, value, erasure),
  );

/** The name of a violation ends with that of its target. */
function eraseName({ target }: JsonObject, name: unknown, erasure: Erasure): unknown {
  const { who } = erasure;
  const isOfTarget = isObject(target) && typeof name === 'string' && subjectOf(target, who, true) === 'person';
  if (!isOfTarget) return eraseField('name', name, erasure);
  const { name: ofTarget } = target;
  const isEnd = typeof ofTarget === 'string' && name.endsWith(ofTarget);
  return isEnd ? name.slice(0, name.length - ofTarget.length) + who.pseudonym : who.pseudonym;
}

const mapValues = (object: JsonObject, map: (field: string, value: unknown) => unknown): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([field, value]) => [field, map(field, value)]));

function withoutTexts(value: unknown, who: Pseudonym): unknown {
  if (typeof value === 'string') return who.pseudonym;
  if (Array.isArray(value)) return value.map((item) => withoutTexts(item, who));
  return isObject(value) ? mapValues(value, (_, member) => withoutTexts(member, who)) : value;
}

/**
 * An audit event without the texts of a person, which tells what has changed; null where it names no such person. Its hash stays
 * that of what was recorded. `sha256` must return lower-case hexadecimal digits.
 */
export function eraseAuditEvent(
  event: AuditEvent,
  who: Pseudonym,
  sha256: (text: string) => string,
): AuditEvent | null {
  const { actor, resource } = event;
  // An attestation has no texts of persons: hashes, and pseudonyms, which an id may equal.
  const isAttestation = event.operation === ERASURE_OPERATION && event.outcome === 'ALLOWED';
  const without: AuditEvent = {
    ...event,
    actor: { ...actor, identityId: actor.identityId === who.id ? who.pseudonym : actor.identityId },
    ...(!isAttestation && {
      resource: { ...resource, id: isPersonIn(event, who) ? who.pseudonym : resource.id },
      changes: eraseChanges(event, who),
    }),
  };
  const stood = Object.fromEntries(differences(event, without, ''));
  const pointers = Object.keys(stood);
  if (pointers.length === 0) return null;
  const { erased } = event;
  return {
    ...without,
    erased: {
      fields: [...new Set([...(erased?.fields ?? []), ...pointers])].toSorted(),
      digest: sha256(canonicalJson(erased === undefined ? stood : { ...stood, '/erased': erased })),
    },
  };
}

const isPersonIn = ({ resource }: AuditEvent, { id }: Pseudonym): boolean =>
  resource.id === id && isPersonType(resource.type);

function eraseChanges(event: AuditEvent, who: Pseudonym): readonly AuditChange[] {
  const { resource, changes } = event;
  if (resource.id === null) return changes.map((change) => eraseChangeOfOne(change, isPersonType(resource.type), who));
  const subjects = { before: subjectOfSide(event, who, 'before'), after: subjectOfSide(event, who, 'after') };
  return changes.map((change) => ({
    ...change,
    before: eraseField(change.field, change.before, { subject: subjects.before, who }),
    after: eraseField(change.field, change.after, { subject: subjects.after, who }),
  }));
}

/** Of an event about several, whose `field` is the id of one. */
function eraseChangeOfOne(change: AuditChange, isOfPersons: boolean, who: Pseudonym): AuditChange {
  const subject = isOfPersons && change.field === who.id ? 'person' : null;
  return {
    ...change,
    field: subject === null ? change.field : who.pseudonym,
    before: eraseField('before', change.before, { subject, who }),
    after: eraseField('after', change.after, { subject, who }),
  };
}

/** What the changed properties are about, as the resource had them on one side. */
function subjectOfSide(event: AuditEvent, who: Pseudonym, side: 'before' | 'after'): Subject {
  if (isPersonIn(event, who)) return 'person';
  const {
    id: _,
    field: __,
    ...properties
  } = Object.fromEntries(event.changes.map((change) => [change.field, change[side]]));
  return subjectOf(properties, who, false);
}

/** The places of a JSON value whose texts differ in another of its form, as JSON pointers, with what stands there. */
function* differences(value: unknown, other: unknown, at: string): Generator<readonly [string, unknown]> {
  if (value === other) return;
  if (typeof value !== 'object' || value === null) return yield [at, value];
  for (const [name, member] of Object.entries(value))
    yield* differences(member, Reflect.get(Object(other), name), at + formatPointer([name]));
}
