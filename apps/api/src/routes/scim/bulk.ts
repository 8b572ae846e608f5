import { SCIM_BULK_OPERATIONS_MAX } from '@access-admin/contract';
import { fail, type Result } from '@access-admin/domain';
import { accountKeyOf } from '@access-admin/store';
import type { RequestContext } from '../../env.ts';
import { type BrokenRule, brokenRule, type ScimError, type ScimFailure, type ScimType, scimError } from './errors.ts';
import { asObject, type JsonObject, propertyOf } from './json.ts';
import { GROUPS, type ResourceKind, type ResourceRequest, USERS, type Written } from './resources.ts';
import type { ScimInput } from './route.ts';
import { BULK_RESPONSE_SCHEMA } from './schemas.ts';

interface GivenOperation {
  /** As the result names it. */
  readonly method: string;
  readonly bulkId: string | null;
  /** The operations whose resources it needs. */
  readonly needs: ReadonlySet<string>;
  /** The id of what it creates; null where it creates nothing. */
  readonly newId: string | null;
}

/** An operation that no request could be made of. */
interface FaultyOperation extends GivenOperation {
  readonly fault: BrokenRule;
}

interface BulkOperation extends GivenOperation {
  readonly method: (typeof METHODS)[number];
  readonly kind: ResourceKind;
  /** Empty for POST. May name the resource of another operation by `bulkId:`. */
  readonly id: string;
  readonly version: string | undefined;
  readonly data: unknown;
}

interface BulkResult {
  readonly method: string;
  readonly bulkId?: string;
  readonly location?: string;
  readonly version?: string;
  readonly status: string;
  readonly response?: ScimError;
}

const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;
/** The most characters of another method that its result repeats. */
const METHOD_LENGTH_MAX = 16;
const KINDS: readonly ResourceKind[] = [USERS, GROUPS];

/** Performs operations one by one, each in a transaction of its own. What creates a resource comes before what names it. */
export async function runBulk(
  c: RequestContext,
  { source, body }: ScimInput,
): Promise<Result<JsonObject, ScimFailure>> {
  const object = asObject(body) ?? {};
  const given = propertyOf(object, 'Operations');
  if (!Array.isArray(given)) return fail(brokenRule('invalidSyntax', 'Operations must be an array.'));
  if (given.length > SCIM_BULK_OPERATIONS_MAX)
    return fail(brokenRule('tooMany', `At most ${SCIM_BULK_OPERATIONS_MAX} operations are allowed.`));
  const limit = Number(propertyOf(object, 'failOnErrors') ?? Number.POSITIVE_INFINITY);
  const operations = given.map((each, at) => parseOperation(each, { at, newId: c.env.services.system.newId() }));
  const ids = new Map<string, string>();
  for (const operation of operations) {
    if ('fault' in operation || operation.bulkId === null || operation.newId === null) continue;
    const { bulkId, kind, data, newId } = operation;
    ids.set(bulkId, kind === GROUPS ? newId : accountKeyOf(source.id, externalIdOf(data) ?? newId));
  }
  const results = new Map<GivenOperation, BulkResult>();
  const done = new Set<string>();
  let errors = 0;
  for (const operation of inOrder(operations)) {
    const written =
      'fault' in operation
        ? fail(operation.fault)
        : await perform({ c, source, ifMatch: operation.version }, operation, { ids, done });
    if (operation.bulkId !== null && written.ok) {
      done.add(operation.bulkId);
      if (written.value !== null) ids.set(operation.bulkId, written.value.id);
    }
    results.set(operation, resultOf(operation, written));
    if (!written.ok && ++errors >= limit) break;
  }
  const shown = operations.flatMap((operation) => results.get(operation) ?? []);
  return { ok: true, value: { schemas: [BULK_RESPONSE_SCHEMA], Operations: shown } };
}

/** What is wrong with an operation is an error of that one alone (RFC 7644, 3.7.3). */
function parseOperation(
  given: unknown,
  { at, newId }: { readonly at: number; readonly newId: string },
): BulkOperation | FaultyOperation {
  const object = asObject(given) ?? {};
  const named = String(propertyOf(object, 'method') ?? '');
  const method = METHODS.find((each) => each === named.toUpperCase());
  const path = String(propertyOf(object, 'path') ?? '');
  const [, endpoint, id = ''] = /^\/?(Users|Groups)(?:\/([^/]+))?$/.exec(path) ?? [];
  const kind = KINDS.find((each) => each.endpoint === endpoint);
  const text = propertyOf(object, 'bulkId');
  const bulkId = typeof text === 'string' ? text : null;
  const faulty = (scimType: ScimType, detail: string): FaultyOperation => ({
    method: method ?? named.slice(0, METHOD_LENGTH_MAX),
    bulkId,
    needs: new Set(),
    newId: null,
    fault: brokenRule(scimType, `Operations[${at}]: ${detail}`),
  });
  if (method === undefined) return faulty('invalidSyntax', 'method must be POST, PUT, PATCH or DELETE.');
  if (kind === undefined || (method === 'POST') !== (id === ''))
    return faulty('invalidPath', 'path must be that of the users or groups for POST, and of one of them for others.');
  if (method === 'POST' && (bulkId === null || bulkId === '')) return faulty('invalidSyntax', 'a POST needs a bulkId.');
  const version = propertyOf(object, 'version');
  const data = propertyOf(object, 'data');
  return {
    method,
    bulkId,
    kind,
    id,
    version: typeof version === 'string' ? version : undefined,
    data,
    needs: new Set([...namesIn(id), ...(kind === GROUPS ? namesIn(JSON.stringify(data ?? null)) : [])]),
    newId: method === 'POST' ? newId : null,
  };
}

const NAME = /bulkId:([^"/\s\\]+)/g;

const namesIn = (text: string): readonly string[] => [...text.matchAll(NAME)].map(([, name = '']) => name);

function externalIdOf(data: unknown): string | null {
  const externalId = propertyOf(asObject(data) ?? {}, 'externalId');
  return typeof externalId === 'string' && externalId !== '' ? externalId : null;
}

/** Operations as they are given, but each after those that create what it names. */
function* inOrder<T extends GivenOperation>(operations: readonly T[]): Generator<T, void> {
  const creators = new Map(operations.flatMap((each) => (each.newId === null ? [] : [[each.bulkId ?? '', each]])));
  const begun = new Set<T>();
  function* withNeeds(operation: T): Generator<T, void> {
    if (begun.has(operation)) return;
    begun.add(operation);
    for (const name of operation.needs) {
      const creator = creators.get(name);
      if (creator !== undefined) yield* withNeeds(creator);
    }
    yield operation;
  }
  for (const operation of operations) yield* withNeeds(operation);
}

interface Named {
  readonly ids: ReadonlyMap<string, string>;
  /** The operations with a bulk id that have succeeded. */
  readonly done: ReadonlySet<string>;
}

async function perform(request: ResourceRequest, operation: BulkOperation, { ids, done }: Named): Promise<Written> {
  const { method, kind, needs, newId } = operation;
  const missing = [...needs].find((name) => !done.has(name));
  if (missing !== undefined)
    return fail(brokenRule('invalidValue', 'The operation that it names by its bulkId does not exist, or has failed.'));
  const id = String(resolve(operation.id, ids));
  const data = resolve(operation.data, ids);
  switch (method) {
    case 'POST':
      return kind.create(request, data, newId ?? '');
    case 'PUT':
      return kind.replace(request, id, data);
    case 'PATCH':
      return kind.patch(request, id, data);
    case 'DELETE':
      return kind.delete(request, id);
  }
}

/** Data with ids instead of the bulk ids that name them. */
function resolve(data: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (typeof data === 'string') return data.replaceAll(NAME, (whole, name) => ids.get(name) ?? whole);
  if (Array.isArray(data)) return data.map((each) => resolve(each, ids));
  const object = asObject(data);
  if (object === null) return data;
  return Object.fromEntries(Object.entries(object).map(([name, each]) => [name, resolve(each, ids)]));
}

function resultOf({ method, bulkId }: GivenOperation, written: Written): BulkResult {
  const named = { method, ...(bulkId === null ? {} : { bulkId }) };
  if (!written.ok) {
    const response = scimError(written.failure);
    return { ...named, status: response.status, response };
  }
  if (written.value === null) return { ...named, status: '204' };
  const { location, version } = written.value.meta;
  return {
    ...named,
    location,
    version,
    status: method === 'POST' ? '201' : '200',
  };
}
