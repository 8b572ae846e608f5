import { canonicalJson } from '../audit/canonical-json.ts';
import type { AuditChange, AuditEvent } from '../audit/event.ts';

/** An identity, and what takes the place of its texts. */
export interface Pseudonym {
  readonly id: string;
  readonly pseudonym: string;
}

/** The properties whose texts are those of a person, in an object about one. */
const TEXTS: ReadonlySet<string> = new Set([
  'address',
  'alias',
  'attributes',
  'displayName',
  'email',
  'externalId',
  'firstname',
  'identificationNumber',
  'lastname',
  'name',
  'passkey',
  'personalEmail',
  'phone',
  'uid',
  'workPhone',
]);

const isPersonType = (type: unknown): boolean => type === undefined || type === 'IDENTITY' || type === 'AUTH_USER';

/** What an object is about: the person, an account of the person, or something that names the person beside other things. */
type Subject = 'person' | 'account' | 'other' | null;

type JsonObject = Readonly<Record<string, unknown>>;

/** A JSON value in which the pseudonym stands for the id of a person, and for the texts about the person beside that id. */
export function erasePerson(value: unknown, who: Pseudonym): unknown {
  if (value === who.id) return who.pseudonym;
  if (Array.isArray(value)) return value.map((item) => erasePerson(item, who));
  return isObject(value) ? eraseFields(value, subjectOf(value, who), who) : value;
}

function subjectOf(object: JsonObject, { id }: Pseudonym): Subject {
  const isPerson = object['id'] === id && isPersonType(object['type']);
  if (isPerson || object['field'] === id) return 'person';
  if (object['identityId'] === id) return Object.hasOwn(object, 'source') ? 'account' : 'other';
  return null;
}

function eraseFields(object: JsonObject, subject: Subject, who: Pseudonym): JsonObject {
  // The id of something else may be that of the person.
  const isOther = object['id'] === who.id && !isPersonType(object['type']);
  return Object.fromEntries(
    Object.entries(object).map(([field, value]) => [
      field,
      isOther && field === 'id' ? value : eraseField(field, value, { subject, who }),
    ]),
  );
}

function eraseField(
  field: string,
  value: unknown,
  { subject, who }: { readonly subject: Subject; readonly who: Pseudonym },
): unknown {
  const isText = subject !== null && TEXTS.has(field) && (field !== 'name' || subject !== 'other');
  if (isText) return withoutTexts(value, who);
  // In an event about several identities, these are the attributes of one.
  const isSide = subject === 'person' && (field === 'before' || field === 'after') && isObject(value);
  return isSide ? eraseFields(value, subject, who) : erasePerson(value, who);
}

function withoutTexts(value: unknown, who: Pseudonym): unknown {
  if (typeof value === 'string') return who.pseudonym;
  if (Array.isArray(value)) return value.map((item) => withoutTexts(item, who));
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutTexts(member, who)]))
    : value;
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

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
  const without: AuditEvent = {
    ...event,
    actor: { ...actor, identityId: actor.identityId === who.id ? who.pseudonym : actor.identityId },
    resource: { ...resource, id: isPersonIn(event, who) ? who.pseudonym : resource.id },
    changes: eraseChanges(event, who),
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
  return subjectOf(properties, who);
}

/** The places of a JSON value whose texts differ in another of its form, as JSON pointers, with what stands there. */
function* differences(value: unknown, other: unknown, at: string): Generator<readonly [string, unknown]> {
  if (value === other) return;
  if (typeof value !== 'object' || value === null) return yield [at, value];
  for (const [name, member] of Object.entries(value))
    yield* differences(
      member,
      Reflect.get(Object(other), name),
      `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    );
}
