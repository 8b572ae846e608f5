import { accountFields, validate } from '@access-admin/contract';
import { fail, ok, type Result, type Source } from '@access-admin/domain';
import type { ScimAccount, ScimAccountFields, ScimGroup, ScimPage, ScimQuery } from '@access-admin/store';
import type { RequestContext } from '../../env.ts';
import { auditContext } from '../../http/audit-context.ts';
import { callerOf } from '../../http/caller.ts';
import { checkIfMatch } from '../answers/etag.ts';
import { applyToDraft, draftOf, fieldsOfDraft, newDraft, setAll, type UserDraft } from './draft.ts';
import { brokenRule, type ScimFailure } from './errors.ts';
import { applyToGroup, type GroupDraft, groupChangeOf, groupDraftOf, newGroupDraft, setGroup } from './group-change.ts';
import { asObject, parsePatch } from './json.ts';
import { rootOf, type ScimResource, showGroup, showUser, versionOfGroup } from './present.ts';

/** A request to one resource, of a route or within a bulk. */
export interface ResourceRequest {
  readonly c: RequestContext;
  readonly source: Source;
  /** The version that the resource must have; undefined for any. */
  readonly ifMatch: string | undefined;
}

/** What a write of a resource answers; null for nothing. */
export type Written = Result<ScimResource | null, ScimFailure>;

/** The operations on the resources of one type. */
export interface ResourceKind {
  readonly endpoint: 'Users' | 'Groups';
  list(
    request: ResourceRequest,
    query: ScimQuery & { readonly withMembers: boolean },
  ): Promise<ScimPage<ScimResource> | null>;
  find(request: ResourceRequest, id: string, withMembers: boolean): Promise<ScimResource | null>;
  /** `newId` is the id of a group, and of an account that brings none. */
  create(request: ResourceRequest, body: unknown, newId: string): Promise<Written>;
  replace(request: ResourceRequest, id: string, body: unknown): Promise<Written>;
  patch(request: ResourceRequest, id: string, body: unknown): Promise<Written>;
  delete(request: ResourceRequest, id: string): Promise<Written>;
}

const scimOf = ({ c }: ResourceRequest) => c.env.services.store.scim;

const guardOf = ({ c }: ResourceRequest) => c.env.services.directoryGuardOf({ c, caller: callerOf(c) });

const showUserOf =
  ({ c, source }: ResourceRequest) =>
  (account: ScimAccount): ScimResource =>
    showUser(rootOf(c, source), account);

const showGroupOf =
  ({ c, source }: ResourceRequest) =>
  (group: ScimGroup): ScimResource =>
    showGroup(rootOf(c, source), group);

/** The fields of a draft, with the rules of accounts. */
function completeUser(draft: UserDraft): Result<ScimAccountFields, ScimFailure> {
  const fields = fieldsOfDraft(draft);
  if (!fields.ok) return fields;
  const { name, displayName, email, attributes = {}, externalId } = fields.value;
  const valid = validate(accountFields, {
    // An id that is made is valid.
    id: externalId ?? 'none',
    name,
    displayName,
    email,
    attributes,
  });
  return valid.ok ? fields : valid;
}

/** The fields of a new user, or of one that replaces another. */
function parseUser(body: unknown): Result<ScimAccountFields, ScimFailure> {
  if (asObject(body) === null) return fail(brokenRule('invalidSyntax', 'The body must be an object.'));
  const draft = newDraft();
  const fault = setAll(draft, 'replace', body);
  return fault === null ? completeUser(draft) : fail(fault);
}

function parseGroup(body: unknown): Result<GroupDraft, ScimFailure> {
  if (asObject(body) === null) return fail(brokenRule('invalidSyntax', 'The body must be an object.'));
  const draft = newGroupDraft();
  const fault = setGroup(draft, 'replace', body);
  return fault === null ? ok(draft) : fail(fault);
}

export const USERS: ResourceKind = {
  endpoint: 'Users',
  list: async (request, query) => {
    const page = await scimOf(request).listUsers(callerOf(request.c).tenant, request.source, query);
    return page === null ? null : { total: page.total, resources: page.resources.map(showUserOf(request)) };
  },
  find: async (request, id) => {
    const found = await scimOf(request).findUser(callerOf(request.c).tenant, request.source, id);
    return found === null ? null : showUserOf(request)(found);
  },
  create: async (request, body, newId) => {
    const fields = parseUser(body);
    if (!fields.ok) return fields;
    const user = { fields: fields.value, newId, guard: guardOf(request) };
    const created = await scimOf(request).createUser(auditContext(request.c), request.source.id, user);
    return created.ok ? ok(showUserOf(request)(created.value)) : created;
  },
  replace: async (request, key, body) => {
    const fields = parseUser(body);
    return fields.ok ? changeUser(request, key, () => fields) : fields;
  },
  patch: async (request, key, body) => {
    const operations = parsePatch(body);
    if (!operations.ok) return operations;
    return changeUser(request, key, (present) => {
      const draft = draftOf(present);
      const fault = applyToDraft(draft, operations.value);
      return fault === null ? completeUser(draft) : fail(fault);
    });
  },
  delete: async (request, key) => {
    const deletion = { key, precondition: knowsUser(request), guard: guardOf(request) };
    const deleted = await scimOf(request).deleteUser(auditContext(request.c), request.source.id, deletion);
    return deleted.ok ? ok(null) : deleted;
  },
};

async function changeUser(
  request: ResourceRequest,
  key: string,
  decide: (present: ScimAccount) => Result<ScimAccountFields, ScimFailure>,
): Promise<Written> {
  const change = { key, precondition: knowsUser(request), decide, guard: guardOf(request) };
  const changed = await scimOf(request).changeUser(auditContext(request.c), request.source.id, change);
  return changed.ok ? ok(showUserOf(request)(changed.value)) : changed;
}

const knowsUser = (request: ResourceRequest) => (present: ScimAccount) =>
  checkIfMatch(request.ifMatch, showUserOf(request)(present).meta.version);

const knowsGroup = (request: ResourceRequest) => (present: ScimGroup) =>
  checkIfMatch(request.ifMatch, versionOfGroup(present));

export const GROUPS: ResourceKind = {
  endpoint: 'Groups',
  list: async (request, query) => {
    const page = await scimOf(request).listGroups(callerOf(request.c).tenant, request.source, query);
    return page === null ? null : { total: page.total, resources: page.resources.map(showGroupOf(request)) };
  },
  find: async (request, id, withMembers) => {
    const query = { id, withMembers };
    const found = await scimOf(request).findGroup(callerOf(request.c).tenant, request.source, query);
    return found === null ? null : showGroupOf(request)(found);
  },
  create: async (request, body, id) => {
    const draft = parseGroup(body);
    const change = draft.ok ? groupChangeOf(draft.value) : draft;
    if (!change.ok) return change;
    const group = { ...change.value, id };
    const created = await scimOf(request).createGroup(auditContext(request.c), request.source.id, group);
    return created.ok ? ok(showGroupOf(request)(created.value)) : created;
  },
  replace: async (request, id, body) => {
    const draft = parseGroup(body);
    if (!draft.ok) return draft;
    // Members that are left out are none.
    draft.value.members.unshift({ kind: 'set', keys: [] });
    return changeGroup(request, id, () => draft.value);
  },
  patch: async (request, id, body) => {
    const operations = parsePatch(body);
    if (!operations.ok) return operations;
    return changeGroup(request, id, (draft) => {
      const fault = applyToGroup(draft, operations.value);
      return fault ?? draft;
    });
  },
  delete: async (request, id) => {
    const deletion = { id, precondition: knowsGroup(request) };
    const deleted = await scimOf(request).deleteGroup(auditContext(request.c), request.source.id, deletion);
    return deleted.ok ? ok(null) : deleted;
  },
};

async function changeGroup(
  request: ResourceRequest,
  id: string,
  edit: (draft: GroupDraft) => GroupDraft | ReturnType<typeof brokenRule>,
): Promise<Written> {
  const decide = (present: ScimGroup) => {
    const edited = edit(groupDraftOf(present));
    return 'type' in edited ? fail(edited) : groupChangeOf(edited);
  };
  const change = { id, precondition: knowsGroup(request), decide };
  const changed = await scimOf(request).changeGroup(auditContext(request.c), request.source.id, change);
  return changed.ok ? ok(showGroupOf(request)(changed.value)) : changed;
}
