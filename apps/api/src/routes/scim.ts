import { SCIM_BODY_BYTES_MAX, SCIM_BULK_BYTES_MAX, SMALL_BODY_BYTES_MAX } from '@access-admin/contract';
import { fail, failure, type Source } from '@access-admin/domain';
import { type Context, Hono } from 'hono';
import { tenantAddress } from '../auth/base-address.ts';
import type { ApiEnv, RequestContext } from '../env.ts';
import { queryOf } from '../http/target.ts';
import { runBulk } from './scim/bulk.ts';
import { brokenRule, refuseScim, SCIM_JSON } from './scim/errors.ts';
import type { ScimResource } from './scim/present.ts';
import {
  givenIn,
  isAsked,
  type ListRequest,
  type Projection,
  parseListRequest,
  parseProjection,
  project,
} from './scim/query.ts';
import { GROUPS, type ResourceKind, type ResourceRequest, USERS, type Written } from './scim/resources.ts';
import { SCIM_ROOT, type ScimAnswer, type ScimInput, scimRoute } from './scim/route.ts';
import { configOf, LIST_SCHEMA, resourceTypesOf, schemasOf } from './scim/schemas.ts';

const NO_RESOURCE = failure('NotFound', '', 'There is no such resource.');

/** SCIM 2.0 (RFC 7643, RFC 7644): provisioning of the accounts and groups of sources. */
export const scim = () =>
  new Hono<ApiEnv>()
    .get(`${SCIM_ROOT}/ServiceProviderConfig`, (c) => answer(c, configOf(publicRoot(c))))
    .get(`${SCIM_ROOT}/ResourceTypes`, (c) => answer(c, listOf([...resourceTypesOf(publicRoot(c)).values()])))
    .get(`${SCIM_ROOT}/ResourceTypes/:id`, (c) => answerOne(c, resourceTypesOf(publicRoot(c)).get(c.req.param('id'))))
    .get(`${SCIM_ROOT}/Schemas`, (c) => answer(c, listOf([...schemasOf(publicRoot(c)).values()])))
    .get(`${SCIM_ROOT}/Schemas/:id`, (c) => answerOne(c, schemasOf(publicRoot(c)).get(c.req.param('id'))))
    .on(
      ...scimRoute(
        { id: 'scim-search', method: 'POST', path: '/.search', bytesMax: SMALL_BODY_BYTES_MAX },
        (c, input) => answerList(c, input, { kinds: [USERS, GROUPS], given: givenIn(input.body) }),
      ),
    )
    .on(
      ...scimRoute(
        { id: 'scim-bulk', method: 'POST', path: '/Bulk', bytesMax: SCIM_BULK_BYTES_MAX },
        async (c, input) => {
          const done = await runBulk(c, input);
          return done.ok ? answer(c, done.value) : done;
        },
      ),
    )
    .route('/', resources(USERS, 'user'))
    .route('/', resources(GROUPS, 'group'))
    .all('/scim/v2/*', refuseMethod);

/** The methods of the paths below a source, for what no route answers. */
const METHODS: readonly (readonly [path: RegExp, allow: string])[] = [
  [/^(?:ServiceProviderConfig|(?:ResourceTypes|Schemas)(?:\/[^/]+)?)$/, 'GET, HEAD'],
  [/^(?:Bulk|(?:(?:Users|Groups)\/)?\.search)$/, 'POST'],
  [/^(?:Users|Groups)$/, 'GET, HEAD, POST'],
  [/^(?:Users|Groups)\/[^/]+$/, 'GET, HEAD, PUT, PATCH, DELETE'],
];

/** Answers 405 for a path of another method, and 404 for every other path. */
function refuseMethod(c: RequestContext): Response {
  const path = c.req.path.split('/').slice(4).join('/');
  const [, allow] = METHODS.find(([pattern]) => pattern.test(path)) ?? [];
  return refuseScim(c, allow === undefined ? NO_RESOURCE : { type: 'MethodNotAllowed', causes: [], allow });
}

/** The routes of one type of resource. */
function resources(kind: ResourceKind, name: string): Hono<ApiEnv> {
  const collection = `/${kind.endpoint}`;
  const one = `${collection}/:id`;
  const bytesMax = SCIM_BODY_BYTES_MAX;
  const byQuery = (c: RequestContext) => (parameter: string) => queryOf(c).get(parameter) ?? undefined;
  return new Hono<ApiEnv>()
    .on(
      ...scimRoute(
        { id: `scim-search-${name}s`, method: 'POST', path: `${collection}/.search`, bytesMax: SMALL_BODY_BYTES_MAX },
        (c, input) => answerList(c, input, { kinds: [kind], given: givenIn(input.body) }),
      ),
    )
    .on(
      ...scimRoute({ id: `scim-list-${name}s`, method: 'GET', path: collection, bytesMax: null }, (c, input) =>
        answerList(c, input, { kinds: [kind], given: byQuery(c) }),
      ),
    )
    .on(
      ...scimRoute({ id: `scim-create-${name}`, method: 'POST', path: collection, bytesMax }, async (c, input) => {
        const written = await kind.create(requestOf(c, input), input.body, c.env.services.system.newId());
        return answerWritten(c, input, { kind, written, status: 201, projection: parseProjection(byQuery(c)) });
      }),
    )
    .on(
      ...scimRoute({ id: `scim-get-${name}`, method: 'GET', path: one, bytesMax: null }, async (c, input) => {
        const projection = parseProjection(byQuery(c));
        const found = await kind.find(requestOf(c, input), input.id, isAsked(projection, 'members'));
        return found === null ? fail(NO_RESOURCE) : answerResource(c, found, { projection, status: 200 });
      }),
    )
    .on(
      ...scimRoute({ id: `scim-replace-${name}`, method: 'PUT', path: one, bytesMax }, async (c, input) => {
        const written = await kind.replace(requestOf(c, input), input.id, input.body);
        return answerWritten(c, input, { kind, written, status: 200, projection: parseProjection(byQuery(c)) });
      }),
    )
    .on(
      ...scimRoute({ id: `scim-patch-${name}`, method: 'PATCH', path: one, bytesMax }, async (c, input) => {
        const written = await kind.patch(requestOf(c, input), input.id, input.body);
        const projection = parseProjection(byQuery(c));
        // A group may have many members, of which a change of one tells nothing.
        if (kind === GROUPS && projection.only === null && written.ok && written.value !== null)
          return c.body(null, 204, { etag: written.value.meta.version });
        return answerWritten(c, input, { kind, written, status: 200, projection });
      }),
    )
    .on(
      ...scimRoute({ id: `scim-delete-${name}`, method: 'DELETE', path: one, bytesMax: null }, async (c, input) => {
        const deleted = await kind.delete(requestOf(c, input), input.id);
        return deleted.ok ? c.body(null, 204) : deleted;
      }),
    );
}

const requestOf = (c: RequestContext, { source }: { readonly source: Source }): ResourceRequest => ({
  c,
  source,
  ifMatch: c.req.header('if-match'),
});

/** The address of a source whose tenant is not known, because there is no token. */
function publicRoot(c: Context<ApiEnv>): string {
  const { baseAddress } = c.env.services.config;
  c.env.state.operationId = 'scim-discovery';
  const address = baseAddress.includes('{tenant}') ? new URL(c.req.url).origin : tenantAddress(baseAddress, '');
  return `${address}/scim/v2/${encodeURIComponent(c.req.param('source') ?? '')}`;
}

const answer = (c: RequestContext, body: object, status: 200 | 201 = 200, headers: Record<string, string> = {}) =>
  c.body(JSON.stringify(body), status, { ...headers, 'content-type': SCIM_JSON });

const answerOne = (c: RequestContext, found: object | undefined): Response =>
  found === undefined ? refuseScim(c, NO_RESOURCE) : answer(c, found);

const listOf = (resources: readonly object[]): object => ({
  schemas: [LIST_SCHEMA],
  totalResults: resources.length,
  itemsPerPage: resources.length,
  startIndex: 1,
  Resources: resources,
});

interface ListedKinds {
  readonly kinds: readonly ResourceKind[];
  readonly given: (name: string) => unknown;
}

/** Answers a page of all resources of some types that meet a filter, type by type. */
async function answerList(c: RequestContext, input: ScimInput, { kinds, given }: ListedKinds): Promise<ScimAnswer> {
  const parsed = parseListRequest(given);
  if (!parsed.ok) return parsed;
  const request: ListRequest = parsed.value;
  let { offset, limit } = request.query;
  let total = 0;
  let refused = 0;
  const found: ScimResource[] = [];
  for (const kind of kinds) {
    const query = { ...request.query, offset, limit, withMembers: isAsked(request, 'members') };
    const page = await kind.list(requestOf(c, input), query);
    if (page === null) {
      refused += 1;
      continue;
    }
    found.push(...page.resources);
    total += page.total;
    offset = Math.max(0, offset - page.total);
    limit -= page.resources.length;
  }
  if (refused === kinds.length)
    return fail(
      brokenRule('invalidFilter', 'The filter names an attribute, or compares it in a way, that is not supported.'),
    );
  return answer(c, {
    schemas: [LIST_SCHEMA],
    totalResults: total,
    itemsPerPage: found.length,
    startIndex: request.startIndex,
    Resources: found.map((resource) => project(resource, request)),
  });
}

interface Shown {
  readonly projection: Projection;
  readonly status: 200 | 201;
}

/** Answers a resource that was written. The members of a group are read for it. */
async function answerWritten(
  c: RequestContext,
  input: ScimInput,
  { kind, written, ...shown }: Shown & { readonly kind: ResourceKind; readonly written: Written },
): Promise<ScimAnswer> {
  if (!written.ok) return written;
  if (written.value === null) return c.body(null, 204);
  const needsMembers = kind === GROUPS && isAsked(shown.projection, 'members');
  const full = needsMembers ? await kind.find(requestOf(c, input), written.value.id, true) : written.value;
  return full === null ? fail(NO_RESOURCE) : answerResource(c, full, shown);
}

const answerResource = (c: RequestContext, resource: ScimResource, { projection, status }: Shown): Response =>
  answer(c, project(resource, projection), status, {
    etag: resource.meta.version,
    ...(status === 201 ? { location: resource.meta.location } : {}),
  });
