import type { Position } from '../output/problem.ts';
import { createAssignments } from './assignments.ts';
import { createIds } from './ids.ts';
import { type JsonObject, objectsOf, present, readObjects, textOf } from './read-objects.ts';
import type { Faults } from './report.ts';
import type { ModelWriter } from './write-model.ts';

/** What a conversion of SCIM resources needs. */
export interface ScimConversion {
  readonly writer: ModelWriter;
  readonly faults: Faults;
  readonly signal: AbortSignal;
  readonly onProgress: (file: string, bytes: number) => void;
  /** The name of the provider, as the source of its entitlements. */
  readonly source: string;
}

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/**
 * Converts SCIM 2.0 users and groups (RFC 7643) to a model: list responses, arrays, or one resource a line. Groups become entitlements
 * of their members, also through groups in groups. Files are read twice, so that only ids and memberships are in memory.
 */
export async function convertScim(
  files: readonly string[],
  { writer, faults, signal, onProgress, source }: ScimConversion,
): Promise<void> {
  const ids = createIds();
  const people = new Map<string, number>();
  const groups = new Map<string, number>();
  const groupIds: string[] = [];
  const members: (readonly [group: number, member: string, at: Position])[] = [];
  const resources = async function* () {
    for (const file of files)
      yield* readObjects(file, { list: 'Resources', signal, onProgress: (bytes) => onProgress(file, bytes) });
  };
  for await (const { object: resource, at } of resources()) {
    const id = textOf(resource['id']);
    if (id === null) faults.add({ at, text: 'a resource without an id' });
    else if (people.has(id) || groups.has(id)) faults.add({ at, text: `the resource ${id} is repeated` });
    else if (isGroup(resource)) {
      groups.set(id, groups.size);
      groupIds.push(ids.idOf(id));
      await writer.write(
        {
          kind: 'entitlement',
          id: ids.idOf(id),
          name: textOf(resource['displayName']) ?? id,
          source,
          externalId: textOf(resource['externalId']) ?? undefined,
        },
        at,
      );
      for (const member of objectsOf(resource['members']))
        members.push([groups.size - 1, textOf(member['value']) ?? '', at]);
    } else people.set(id, people.size);
  }
  const parents = new Map<number, Set<number>>();
  const direct: (readonly [group: number, person: number])[] = [];
  for (const [group, member, at] of members) {
    const person = people.get(member);
    const inner = groups.get(member);
    if (person !== undefined) direct.push([group, person]);
    else if (inner !== undefined) parents.set(inner, (parents.get(inner) ?? new Set()).add(group));
    else faults.add({ at, text: `there is no user or group ${member}` });
  }
  const assignments = createAssignments();
  for (const [group, person] of direct) {
    const reached = new Set([group]);
    for (const each of reached) for (const parent of parents.get(each) ?? []) reached.add(parent);
    for (const each of reached)
      assignments.add(person, assignments.refNumber({ type: 'ENTITLEMENT', id: groupIds[each] ?? '' }), {});
  }
  const heldBy = assignments.finish(people.size);
  await writer.write(
    { kind: 'identityProfile', id: 'scim', name: source },
    { file: files[0] ?? '', line: 1, column: 1 },
  );
  const written = new Set<number>();
  for await (const { object: resource, at } of resources()) {
    const id = textOf(resource['id']) ?? '';
    const person = isGroup(resource) ? undefined : people.get(id);
    if (person === undefined || written.has(person)) continue;
    written.add(person);
    const name = Object(resource['name']) as JsonObject;
    const enterprise = Object(resource[ENTERPRISE]) as JsonObject;
    const userName = textOf(resource['userName']) ?? id;
    const given = {
      firstname: textOf(name['givenName']),
      lastname: textOf(name['familyName']),
      email: primaryOf(resource['emails']),
      workPhone: primaryOf(resource['phoneNumbers']),
    };
    const attributes = {
      department: textOf(enterprise['department']),
      costCenter: textOf(enterprise['costCenter']),
      title: textOf(resource['title']),
      userType: textOf(resource['userType']),
    };
    await writer.write(
      {
        kind: 'identity',
        id: ids.idOf(id),
        uid: userName,
        identityProfile: 'scim',
        displayName: textOf(resource['displayName']) ?? textOf(name['formatted']) ?? userName,
        ...present(given),
        access: heldBy(person),
        externalId: textOf(resource['externalId']) ?? undefined,
        attributes: present(attributes),
      },
      at,
    );
  }
  await writer.end();
}

const isGroup = (resource: JsonObject): boolean => {
  const schemas = Array.isArray(resource['schemas']) ? resource['schemas'] : [];
  return schemas.some((schema) => String(schema).endsWith(':Group')) || (schemas.length === 0 && 'members' in resource);
};

function primaryOf(values: unknown): string | null {
  const list = objectsOf(values);
  return textOf((list.find(({ primary }) => primary === true) ?? list[0])?.['value']);
}
