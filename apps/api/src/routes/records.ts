import { changedRecords, RECORDS, validate } from '@access-admin/contract';
import {
  type AccessModelRecord,
  DOCUMENTS_OF_SHOWN,
  documentOf,
  type Failure,
  fail,
  isOfDocument,
  noRecord,
  ok,
  type Patch,
  patchRecord,
  planImport,
  type RecordDocument,
  type Result,
  recordOne,
  type SingleChange,
  type SingleKind,
  validateExistence,
} from '@access-admin/domain';
import type { FoundRecords, LookUpKind } from '@access-admin/store';
import { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ApiEnv, RequestContext } from '../env.ts';
import type { Answer } from '../http/answer.ts';
import { auditContext } from '../http/audit-context.ts';
import { callerOf } from '../http/caller.ts';
import type { ApiFailure } from '../http/problem.ts';
import { route } from '../operations/route.ts';
import { etagOf } from './answers/etag.ts';
import { checkBodyId, ifMatch } from './answers/resource.ts';

/** One record of the access model at a time: each change is an import of one line. */
export const records = () =>
  new Hono<ApiEnv>()
    .on(...route(RECORDS.identity.create, (c, { body }) => create(c, { kind: 'identity', ...body })))
    .on(
      ...route(RECORDS.identity.put, (c, { params: { id }, body }) =>
        put(c, body.id, { kind: 'identity', ...body, id }),
      ),
    )
    .on(
      ...route(RECORDS.identity.patch, (c, { params: { id }, body }) =>
        patch(c, { kind: 'identity', id, body }, (given) => {
          const fields = validate(changedRecords.identity, given);
          return fields.ok ? ok({ kind: 'identity', ...fields.value, id }) : fields;
        }),
      ),
    )
    .on(...route(RECORDS.identity.delete, (c, { params: { id } }) => remove(c, { kind: 'identity', id, delete: true })))
    .on(...route(RECORDS.entitlement.create, (c, { body }) => create(c, { kind: 'entitlement', ...body })))
    .on(
      ...route(RECORDS.entitlement.put, (c, { params: { id }, body }) =>
        put(c, body.id, { kind: 'entitlement', ...body, id }),
      ),
    )
    .on(
      ...route(RECORDS.entitlement.patch, (c, { params: { id }, body }) =>
        patch(c, { kind: 'entitlement', id, body }, (given) => {
          const fields = validate(changedRecords.entitlement, given);
          return fields.ok ? ok({ kind: 'entitlement', ...fields.value, id }) : fields;
        }),
      ),
    )
    .on(
      ...route(RECORDS.entitlement.delete, (c, { params: { id } }) =>
        remove(c, { kind: 'entitlement', id, delete: true }),
      ),
    )
    .on(...route(RECORDS.accessProfile.create, (c, { body }) => create(c, { kind: 'accessProfile', ...body })))
    .on(
      ...route(RECORDS.accessProfile.put, (c, { params: { id }, body }) =>
        put(c, body.id, { kind: 'accessProfile', ...body, id }),
      ),
    )
    .on(
      ...route(RECORDS.accessProfile.patch, (c, { params: { id }, body }) =>
        patch(c, { kind: 'accessProfile', id, body }, (given) => {
          const fields = validate(changedRecords.accessProfile, given);
          return fields.ok ? ok({ kind: 'accessProfile', ...fields.value, id }) : fields;
        }),
      ),
    )
    .on(
      ...route(RECORDS.accessProfile.delete, (c, { params: { id } }) =>
        remove(c, { kind: 'accessProfile', id, delete: true }),
      ),
    )
    .on(...route(RECORDS.role.create, (c, { body }) => create(c, { kind: 'role', ...body })))
    .on(...route(RECORDS.role.put, (c, { params: { id }, body }) => put(c, body.id, { kind: 'role', ...body, id })))
    .on(
      ...route(RECORDS.role.patch, (c, { params: { id }, body }) =>
        patch(c, { kind: 'role', id, body }, (given) => {
          const fields = validate(changedRecords.role, given);
          return fields.ok ? ok({ kind: 'role', ...fields.value, id }) : fields;
        }),
      ),
    )
    .on(...route(RECORDS.role.delete, (c, { params: { id } }) => remove(c, { kind: 'role', id, delete: true })))
    .on(...route(RECORDS.identityProfile.create, (c, { body }) => create(c, { kind: 'identityProfile', ...body })))
    .on(
      ...route(RECORDS.identityProfile.put, (c, { params: { id }, body }) =>
        put(c, body.id, { kind: 'identityProfile', ...body, id }),
      ),
    )
    .on(
      ...route(RECORDS.identityProfile.patch, (c, { params: { id }, body }) =>
        patch(c, { kind: 'identityProfile', id, body }, (given) => {
          const fields = validate(changedRecords.identityProfile, given);
          return fields.ok ? ok({ kind: 'identityProfile', ...fields.value, id }) : fields;
        }),
      ),
    )
    .on(
      ...route(RECORDS.identityProfile.delete, (c, { params: { id } }) =>
        remove(c, { kind: 'identityProfile', id, delete: true }),
      ),
    );

/** A change of one record. */
interface Change {
  readonly change: SingleChange;
  readonly record: SingleRecord;
  /** What the record is made of; null where it does not depend on the stored one. */
  readonly from: RecordDocument | null;
}

/** The names of the tables that look-ups read. */
const LOOK_UP_KINDS = {
  entitlement: 'entitlement',
  accessProfile: 'access_profile',
  role: 'role',
  identityProfile: 'identity_profile',
  identity: 'identity',
} as const satisfies Record<SingleKind, LookUpKind>;

const DOCUMENT_OF: {
  readonly [K in SingleKind]: (shown: FoundRecords[(typeof LOOK_UP_KINDS)[K]]) => RecordDocument;
} = DOCUMENTS_OF_SHOWN;

const PATHS = {
  entitlement: '/entitlements/v1',
  accessProfile: '/access-profiles/v1',
  role: '/roles/v1',
  identityProfile: '/identity-profiles/v1',
  identity: '/identities/v1',
} as const satisfies Record<SingleKind, string>;

/** A record of a kind that can be changed by itself. */
type SingleRecord =
  | Extract<AccessModelRecord, { readonly kind: SingleKind }>
  | { readonly kind: SingleKind; readonly id: string; readonly delete: true };

async function find<K extends SingleKind>(c: RequestContext, kind: K, id: string) {
  const shown = await c.env.services.store.lookUps.find(callerOf(c).tenant, LOOK_UP_KINDS[kind], id);
  return shown === null ? null : { shown, document: DOCUMENT_OF[kind](shown) };
}

/** Null where the record is no longer what it was made of. */
async function write(c: RequestContext, { change, record, from }: Change): Promise<Result<null, ApiFailure> | null> {
  const { store, guardOf } = c.env.services;
  const caller = callerOf(c);
  const { kind, id } = record;
  const audit = auditContext(c);
  const records = [{ line: 1, record }];
  let isOutdated = false;
  const imported = await store.accessModel.import(
    {
      auditContext: audit,
      records,
      guard: guardOf({ c, caller }),
      record: recordOne,
      precondition: (_, { stored }) => {
        const present = stored[kind].get(id);
        return present === undefined || change === 'CREATE' ? ok(null) : ifMatch(c)(documentOf(present));
      },
    },
    (base) => {
      const exists = validateExistence({ kind, id, change }, base);
      if (!exists.ok) return exists;
      isOutdated = from !== null && !isOfDocument(base.stored[kind].get(id), from);
      return isOutdated ? fail(noRecord(kind)) : planImport({ records, base, caller, now: audit.time });
    },
  );
  if (imported.ok) return ok(null);
  return isOutdated && imported.failure.type === 'NotFound' ? null : fail(withoutLine(imported.failure));
}

/** Answers a record that has been written. */
async function show(
  c: RequestContext,
  { kind, id }: Pick<SingleRecord, 'kind' | 'id'>,
  { status = 200, ...headers }: { readonly status?: ContentfulStatusCode; readonly location?: string } = {},
): Promise<Answer> {
  const found = await find(c, kind, id);
  if (found === null) return fail(noRecord(kind));
  return c.json(found.shown, status, { ...headers, etag: etagOf(found.document) });
}

async function create(c: RequestContext, record: SingleRecord): Promise<Answer> {
  const written = await write(c, { change: 'CREATE', record, from: null });
  if (written !== null && !written.ok) return written;
  return show(c, record, { status: 201, location: `${PATHS[record.kind]}/${record.id}` });
}

async function put(c: RequestContext, given: string | undefined, record: SingleRecord): Promise<Answer> {
  const named = checkBodyId(given, record.id);
  if (!named.ok) return named;
  const written = await write(c, { change: 'REPLACE', record, from: null });
  return written !== null && !written.ok ? written : show(c, record);
}

async function patch<K extends SingleKind>(
  c: RequestContext,
  { kind, id, body }: { readonly kind: K; readonly id: string; readonly body: Patch },
  toRecord: (fields: unknown) => Result<SingleRecord, Failure>,
): Promise<Answer> {
  for (;;) {
    const found = await find(c, kind, id);
    if (found === null) return fail(noRecord(kind));
    const patched = patchRecord(kind, found.document, body);
    const record = patched.ok ? toRecord(patched.value) : patched;
    if (!record.ok) {
      // A failed test is told to callers of any version, as are rights and references.
      const known = record.failure.type === 'Conflict' ? ok(null) : ifMatch(c)(found.document);
      return known.ok ? record : known;
    }
    const written = await write(c, { change: 'REPLACE', record: record.value, from: found.document });
    // Another caller was faster: the patch is applied to what that one has left.
    if (written !== null) return written.ok ? show(c, { kind, id }) : written;
  }
}

async function remove(c: RequestContext, record: SingleRecord): Promise<Answer> {
  const written = await write(c, { change: 'DELETE', record, from: null });
  return written !== null && !written.ok ? written : c.body(null, 204);
}

/** Removes `line 1` from the causes of a failure: the caller sent one record, not a file of lines. */
const withoutLine = <F extends ApiFailure>(failed: F): F => ({
  ...failed,
  causes: failed.causes.map((cause) => ({ ...cause, at: cause.at.replace(/^line 1(: )?/, '') })),
});
