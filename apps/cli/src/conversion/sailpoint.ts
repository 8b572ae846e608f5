import type { Position } from '../output/problem.ts';
import { createIds } from './ids.ts';
import { type JsonObject, objectsOf, present, readObjects, textOf } from './read-objects.ts';
import type { Faults } from './report.ts';
import type { RecordWriter } from './write-records.ts';

/** What a conversion of files of SailPoint Identity Security Cloud needs. */
export interface SailPointConversion {
  readonly writer: RecordWriter;
  readonly faults: Faults;
  readonly signal: AbortSignal;
  readonly onProgress: (file: string, bytes: number) => void;
  /** Takes what the service has nothing for, such as transforms, by its kind. */
  readonly onLeftOut: (kind: string) => void;
}

type SailPointKind = 'entitlement' | 'accessProfile' | 'role' | 'identity' | 'sodPolicy';

interface Found {
  readonly kind: SailPointKind;
  readonly object: JsonObject;
  readonly at: Position;
}

/** The types of the configuration export and of documents of the search. */
const KINDS: ReadonlyMap<string, SailPointKind> = new Map([
  ['ENTITLEMENT', 'entitlement'],
  ['ACCESS_PROFILE', 'accessProfile'],
  ['ACCESSPROFILE', 'accessProfile'],
  ['ROLE', 'role'],
  ['IDENTITY', 'identity'],
  ['SOD_POLICY', 'sodPolicy'],
]);

const ACCESS_TYPES = ['ENTITLEMENT', 'ACCESS_PROFILE', 'ROLE'] as const;

/** The lists of references by which an object gives access. */
const ACCESS_LISTS: Readonly<Record<SailPointKind, readonly string[]>> = {
  entitlement: [],
  accessProfile: ['entitlements'],
  role: ['entitlements', 'accessProfiles'],
  identity: ['access'],
  sodPolicy: [],
};

/**
 * Converts files of SailPoint Identity Security Cloud to a model, in any mixture: exports of its configuration (SP-Config), results of
 * its search (identities, roles, access profiles, entitlements), and lists of its API (roles, access profiles, entitlements, SOD
 * policies). Entitlements that others name and no file describes get the name that they are called by. Identities are read twice,
 * so that only the catalogue is in memory.
 *
 * Source: the published API specifications of SailPoint Identity Security Cloud, version 3.
 */
export async function convertSailPoint(
  files: readonly string[],
  { writer, faults, signal, onProgress, onLeftOut }: SailPointConversion,
): Promise<void> {
  const ids = createIds();
  const catalogue = createCatalogue(ids.idOf);
  const policies = new Map<string, Found>();
  const profiles = new Map<string, readonly [name: string, at: Position]>();
  const people = new Set<string>();
  const objects = async function* (isFirst: boolean): AsyncGenerator<Found> {
    for (const file of files)
      for await (const given of readObjects(file, {
        list: 'objects',
        signal,
        onProgress: (bytes) => onProgress(file, bytes),
      })) {
        if ('enclosing' in given) continue;
        const found = classify(given.object);
        if (found.kind !== null) yield { kind: found.kind, object: found.object, at: given.at };
        else if (isFirst) onLeftOut(found.type);
      }
  };
  for await (const found of objects(true)) {
    const { kind, object, at } = found;
    const id = textOf(object['id']);
    if (id === null) {
      faults.add({ at, text: `${kind} without an id` });
      continue;
    }
    for (const text of unreadableRefs(kind, object)) faults.add({ at, text });
    if (kind === 'identity') {
      if (people.has(id)) faults.add({ at, text: `the identity ${id} is repeated` });
      people.add(id);
      const profile = profileOf(object);
      if (!profiles.has(profile.id)) profiles.set(profile.id, [profile.name, at]);
      for (const ref of accessOf(object)) catalogue.mention(ref, at);
    } else if (kind === 'sodPolicy') policies.set(id, found);
    else catalogue.describe(kind, object, at);
  }
  for (const { object, at } of policies.values())
    for (const item of sidesOf(object).flat()) catalogue.mention(entitlementRef(item), at);
  for (const { record, at } of catalogue.records()) await writer.catalogue(record, at);
  for (const [id, [name, at]] of profiles)
    await writer.catalogue({ kind: 'identityProfile', id: ids.idOf(id), name }, at);
  const written = new Set<string>();
  for await (const { kind, object, at } of objects(false)) {
    const id = textOf(object['id']);
    if (kind !== 'identity' || id === null || written.has(id)) continue;
    written.add(id);
    const record = identityRecord(object, ids.idOf);
    const access = accessOf(object).map(({ type, id: ref }) => ({ type, id: ids.idOf(ref) }));
    await writer.catalogue(
      { kind: 'identity', id: ids.idOf(id), identityProfile: ids.idOf(profileOf(object).id), ...record, access },
      at,
    );
  }
  for (const { object, at } of policies.values()) {
    if (textOf(object['type']) === 'GENERAL') {
      onLeftOut('policy of the type GENERAL');
      continue;
    }
    const owner = textOf(Object(object['ownerRef']).id);
    const isKnown = owner !== null && people.has(owner);
    if (owner !== null && !isKnown) onLeftOut('owner of a policy who is not among the identities');
    await writer.catalogue(
      {
        ...policyRecord(object, ids.idOf),
        ownerRef: isKnown ? { type: 'IDENTITY', id: ids.idOf(owner) } : null,
      },
      at,
    );
  }
  await writer.end();
}

/** The kind of an object, and the object itself without the envelope of a configuration export. */
function classify(
  given: JsonObject,
): { readonly kind: SailPointKind; readonly object: JsonObject } | { readonly kind: null; readonly type: string } {
  const self: JsonObject = Object(given['self']);
  const type = textOf(self['type']);
  if (type !== null) {
    const kind = KINDS.get(type);
    const inner: JsonObject = Object(given['object']);
    return kind === undefined
      ? { kind: null, type }
      : { kind, object: { id: self['id'], name: self['name'], ...inner } };
  }
  const documentType = textOf(given['_type'])?.toUpperCase();
  const kind = documentType === undefined ? kindByMembers(given) : (KINDS.get(documentType) ?? null);
  return kind === null ? { kind: null, type: documentType ?? 'unknown' } : { kind, object: given };
}

/** The lists of the API do not name the kind of their objects. */
function kindByMembers(object: JsonObject): SailPointKind | null {
  if ('conflictingAccessCriteria' in object || 'policyQuery' in object) return 'sodPolicy';
  if ('access' in object || 'identityProfile' in object) return 'identity';
  if ('accessProfiles' in object || 'membership' in object) return 'role';
  if ('entitlements' in object) return 'accessProfile';
  if ('attribute' in object && 'value' in object) return 'entitlement';
  return null;
}

interface Named {
  readonly id: string;
  readonly name: string;
}

/** The id and name of a reference; the id where it has no name. */
function refOf(ref: JsonObject): Named {
  const id = textOf(ref['id']) ?? '';
  return { id, name: textOf(ref['displayName']) ?? textOf(ref['name']) ?? id };
}

const refsOf = (list: unknown): readonly JsonObject[] => objectsOf(list).filter(({ id }) => textOf(id) !== null);

/** What is wrong with references by which an object gives access: without them the model would have fewer violations. */
function* unreadableRefs(kind: SailPointKind, object: JsonObject): Generator<string> {
  for (const name of ACCESS_LISTS[kind]) {
    const list = object[name] ?? [];
    if (!Array.isArray(list)) yield `${name} is no list`;
    for (const [index, ref] of objectsOf(list).entries()) {
      const type = kind === 'identity' ? textOf(ref['type']) : 'ENTITLEMENT';
      if (type === null) yield `${name}[${index}] has no type`;
      else if (ACCESS_TYPES.some((each) => each === type) && textOf(ref['id']) === null)
        yield `${name}[${index}] has no id`;
    }
  }
}

interface HeldRef extends Named {
  readonly type: 'ENTITLEMENT' | 'ACCESS_PROFILE' | 'ROLE';
  /** The name of the source, where the reference says it. */
  readonly source: string | null;
}

const sourceOf = (object: JsonObject): string | null => textOf(Object(object['source']).name);

/** A reference to an entitlement that only its list gives a type. */
const entitlementRef = (ref: JsonObject): HeldRef => ({ type: 'ENTITLEMENT', source: sourceOf(ref), ...refOf(ref) });

/** What an identity of the search holds; accounts and apps of it are not access. */
function accessOf(identity: JsonObject): readonly HeldRef[] {
  return objectsOf(identity['access']).flatMap((ref) => {
    const type = ACCESS_TYPES.find((each) => each === ref['type']);
    const named = refOf(ref);
    return type === undefined || named.id === '' ? [] : [{ type, source: sourceOf(ref), ...named }];
  });
}

const NO_PROFILE: Named = { id: 'sailpoint', name: 'SailPoint' };

function profileOf(identity: JsonObject): Named {
  const profile = refOf(Object(identity['identityProfile']));
  return profile.id === '' ? NO_PROFILE : profile;
}

function sidesOf(policy: JsonObject): readonly (readonly JsonObject[])[] {
  const { leftCriteria, rightCriteria } = Object(policy['conflictingAccessCriteria']);
  return [leftCriteria, rightCriteria].map((side) => objectsOf(Object(side).criteriaList));
}

/** Entitlements, access profiles and roles: those that are described, and those that are only named. */
function createCatalogue(idOf: (name: string) => string) {
  const records = {
    ENTITLEMENT: new Map<string, { readonly record: JsonObject; readonly at: Position }>(),
    ACCESS_PROFILE: new Map<string, { readonly record: JsonObject; readonly at: Position }>(),
    ROLE: new Map<string, { readonly record: JsonObject; readonly at: Position }>(),
  };
  const mentioned: (readonly [ref: HeldRef, at: Position])[] = [];
  const mention = (ref: HeldRef, at: Position) => {
    if (ref.id !== '') mentioned.push([ref, at]);
  };
  return {
    mention: (ref: HeldRef, at: Position): void => {
      // Most identities name what is known already.
      if (!records[ref.type].has(ref.id)) mention(ref, at);
    },
    describe: (kind: 'entitlement' | 'accessProfile' | 'role', object: JsonObject, at: Position): void => {
      const { id, name } = refOf(object);
      const entitlements = refsOf(object['entitlements']).map((ref) => entitlementRef(ref));
      for (const each of entitlements) mention(each, at);
      const common = { kind, id: idOf(id), name };
      if (kind === 'entitlement') {
        const source = sourceOf(object);
        records.ENTITLEMENT.set(id, {
          record: { ...common, source, externalId: textOf(object['value']) ?? undefined },
          at,
        });
      } else if (kind === 'accessProfile')
        records.ACCESS_PROFILE.set(id, {
          record: { ...common, entitlements: entitlements.map((each) => idOf(each.id)) },
          at,
        });
      else {
        const accessProfiles = refsOf(object['accessProfiles']).map(refOf);
        for (const each of accessProfiles) mention({ type: 'ACCESS_PROFILE', source: null, ...each }, at);
        records.ROLE.set(id, {
          record: {
            ...common,
            entitlements: entitlements.map((each) => idOf(each.id)),
            accessProfiles: accessProfiles.map((each) => idOf(each.id)),
          },
          at,
        });
      }
    },
    records: () => {
      for (const [{ type, id, name, source }, at] of mentioned) {
        if (records[type].has(id)) continue;
        const common = { id: idOf(id), name };
        const record =
          type === 'ENTITLEMENT'
            ? { kind: 'entitlement', ...common, source }
            : type === 'ACCESS_PROFILE'
              ? { kind: 'accessProfile', ...common, entitlements: [] }
              : { kind: 'role', ...common };
        records[type].set(id, { record, at });
      }
      return [...records.ENTITLEMENT.values(), ...records.ACCESS_PROFILE.values(), ...records.ROLE.values()];
    },
  };
}

function identityRecord(identity: JsonObject, idOf: (name: string) => string): JsonObject {
  const attributes: JsonObject = Object(identity['attributes']);
  const either = (...names: readonly string[]): string | null => {
    for (const name of names) {
      const text = textOf(identity[name]) ?? textOf(attributes[name]);
      if (text !== null) return text;
    }
    return null;
  };
  const uid = either('alias', 'uid', 'name') ?? idOf(textOf(identity['id']) ?? '');
  return {
    uid,
    displayName: either('displayName', 'name') ?? uid,
    ...present({
      firstname: either('firstName', 'firstname'),
      lastname: either('lastName', 'lastname'),
      email: either('email', 'emailAddress'),
      phone: either('phone'),
      workPhone: either('workPhone'),
    }),
    externalId: either('employeeNumber') ?? undefined,
    attributes: present({
      department: either('department'),
      costCenter: either('costCenter'),
      title: either('title', 'jobTitle'),
      location: either('location'),
      lifecycleState: textOf(attributes['cloudLifecycleState']),
    }),
  };
}

function policyRecord(policy: JsonObject, idOf: (name: string) => string): JsonObject {
  const [left = [], right = []] = sidesOf(policy);
  const { leftCriteria, rightCriteria } = Object(policy['conflictingAccessCriteria']);
  const side = (criteria: unknown, items: readonly JsonObject[]) => ({
    name: textOf(Object(criteria).name),
    criteriaList: items.map((item) => {
      const { id, name } = refOf(item);
      return { type: 'ENTITLEMENT', id: idOf(id), name };
    }),
  });
  return {
    kind: 'sodPolicy',
    id: idOf(textOf(policy['id']) ?? ''),
    name: textOf(policy['name']) ?? textOf(policy['id']) ?? '',
    description: textOf(policy['description']),
    state: textOf(policy['state']) ?? 'ENFORCED',
    conflictingAccessCriteria: { leftCriteria: side(leftCriteria, left), rightCriteria: side(rightCriteria, right) },
    externalPolicyReference: textOf(policy['externalPolicyReference']),
    compensatingControls: textOf(policy['compensatingControls']),
    correctionAdvice: textOf(policy['correctionAdvice']),
    tags: Array.isArray(policy['tags']) ? policy['tags'].filter((tag) => typeof tag === 'string') : [],
  };
}
