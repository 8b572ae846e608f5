import { createReadStream } from 'node:fs';
import { readBeginning } from '../files/read-beginning.ts';
import { jsonErrorPlace, reasonOf } from '../files/read-text.ts';
import { CommandFailure } from '../output/failure.ts';
import type { Position } from '../output/problem.ts';
import { createAssignments } from './assignments.ts';
import { createIds } from './ids.ts';
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

type Resource = Readonly<Record<string, unknown>>;

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
    for (const file of files) yield* readResources(file, { signal, onProgress: (bytes) => onProgress(file, bytes) });
  };
  for await (const { resource, at } of resources()) {
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
      for (const member of listOf(resource['members']))
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
  for await (const { resource, at } of resources()) {
    const id = textOf(resource['id']) ?? '';
    const person = isGroup(resource) ? undefined : people.get(id);
    if (person === undefined || written.has(person)) continue;
    written.add(person);
    const name = Object(resource['name']) as Resource;
    const enterprise = Object(resource[ENTERPRISE]) as Resource;
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

const present = (values: Readonly<Record<string, string | null>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, value]])));

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const listOf = (value: unknown): readonly Resource[] => (Array.isArray(value) ? value.map((each) => Object(each)) : []);

const isGroup = (resource: Resource): boolean => {
  const schemas = Array.isArray(resource['schemas']) ? resource['schemas'] : [];
  return schemas.some((schema) => String(schema).endsWith(':Group')) || (schemas.length === 0 && 'members' in resource);
};

function primaryOf(values: unknown): string | null {
  const list = listOf(values);
  return textOf((list.find(({ primary }) => primary === true) ?? list[0])?.['value']);
}

/** Reads the resources of a file one by one, whatever encloses them. Throws a `CommandFailure` that names the line of a syntax error. */
export async function* readResources(
  path: string,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (bytes: number) => void },
): AsyncGenerator<{ readonly resource: Resource; readonly at: Position }> {
  const isListResponse = /"Resources"\s*:/.test(readBeginning(path));
  let bytes = 0;
  let line = 1;
  // What encloses the present character, from the outside.
  let enclosing = '';
  let resource = '';
  let begin = 1;
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
      signal.throwIfAborted();
      bytes += piece.length;
      onProgress(bytes);
      const text = decoder.decode(piece, { stream: true });
      let from = resource === '' ? -1 : 0;
      for (let at = 0; at < text.length; at++) {
        const character = text[at] ?? '';
        if (character === '\n') line++;
        if (isText) {
          if (isEscaped) isEscaped = false;
          else if (character === '\\') isEscaped = true;
          else if (character === '"') isText = false;
          continue;
        }
        if (character === '"') isText = true;
        else if (character === '{' || character === '[') {
          // A resource is an object at the top, or in a list: the top-level one, or that of a list response.
          if (depth === 0 && character === '{' && (enclosing.endsWith('[') || (enclosing === '' && !isListResponse))) {
            from = at;
            begin = line;
            depth = 1;
          } else if (depth > 0) depth++;
          else enclosing += character;
        } else if (character === '}' || character === ']') {
          if (depth === 0) enclosing = enclosing.slice(0, -1);
          else if (--depth === 0) {
            resource += text.slice(Math.max(0, from), at + 1);
            const whole = resource;
            resource = '';
            from = -1;
            yield { resource: parse(whole, path, begin), at: { file: path, line: begin, column: 1 } };
          }
        }
      }
      if (depth > 0) resource += text.slice(Math.max(0, from));
    }
  } catch (error) {
    if (error instanceof CommandFailure || signal.aborted) throw error;
    throw new CommandFailure(`${path}: ${reasonOf(error)}`);
  }
  if (depth > 0 || enclosing !== '') throw new CommandFailure(`${path}:${line}:1: the file ends within a value`);
}

function parse(text: string, path: string, line: number): Resource {
  try {
    return JSON.parse(text);
  } catch (error) {
    const [lines = '1', column] = jsonErrorPlace(text, error).split(':');
    throw new CommandFailure(`${path}:${line + Number(lines) - 1}:${column}: not JSON: ${reasonOf(error)}`);
  }
}
