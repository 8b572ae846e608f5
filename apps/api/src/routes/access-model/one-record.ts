import { changedRecords, validate } from '@access-admin/contract';
import {
  type AccessModelRecord,
  DOCUMENTS_OF_SHOWN,
  documentOf,
  type Failure,
  fail,
  failure,
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
import type { AccessModelStore, FoundRecords, LookUpKind, LookUpStore } from '@access-admin/store';
import type { ApiFailure } from '../../http/problem.ts';
import {
  auditContextOfRequest,
  type CheckedRequest,
  type OperationHandlers,
  type OperationResult,
} from '../../operations/operation.ts';
import type { GuardOf } from '../../sign-in/guard.ts';
import { etagOf } from '../answers/etag.ts';
import { ifMatch } from '../answers/resource.ts';

export interface OneRecordParts {
  readonly accessModel: AccessModelStore;
  readonly lookUps: LookUpStore;
  readonly now: () => Date;
  readonly guardOf: GuardOf;
}

interface RequestOfOne extends CheckedRequest {
  readonly params: { readonly id: string };
}

/** A change of one record. */
interface Change<K extends SingleKind> {
  readonly kind: K;
  readonly change: SingleChange;
  readonly record: AccessModelRecord;
  /** What the record is made of; null where it does not depend on the stored one. */
  readonly from: RecordDocument | null;
}

/** The names of the tables that look-ups read. */
export const LOOK_UP_KINDS = {
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

/** The operations that change one record of the access model: each is an import of one line. */
export function oneRecordHandlers({ accessModel, lookUps, now, guardOf }: OneRecordParts) {
  const find = async <K extends SingleKind>(tenant: string, kind: K, id: string) => {
    const shown = await lookUps.find(tenant, LOOK_UP_KINDS[kind], id);
    return shown === null ? null : { shown, document: DOCUMENT_OF[kind](shown) };
  };

  /** Null where the record is no longer what it was made of. */
  const write = async <K extends SingleKind>(
    request: CheckedRequest,
    { kind, change, record, from }: Change<K>,
  ): Promise<Result<null, ApiFailure> | null> => {
    const { caller } = request;
    const { id } = record;
    const auditContext = auditContextOfRequest(request, now());
    const records = [{ line: 1, record }];
    let isOutdated = false;
    const imported = await accessModel.import(
      {
        auditContext,
        records,
        guard: guardOf(request),
        record: recordOne,
        precondition: (_, { stored }) => {
          const present = stored[kind].get(id);
          return present === undefined || change === 'CREATE' ? ok(null) : ifMatch(request.c)(documentOf(present));
        },
      },
      (base) => {
        const exists = validateExistence({ kind, id, change }, base);
        if (!exists.ok) return exists;
        isOutdated = from !== null && !isOfDocument(base.stored[kind].get(id), from);
        return isOutdated ? fail(noRecord(kind)) : planImport({ records, base, caller, now: auditContext.time });
      },
    );
    if (imported.ok) return ok(null);
    return isOutdated && imported.failure.type === 'NotFound' ? null : fail(withoutLine(imported.failure));
  };

  const answer = async (
    { caller: { tenant } }: CheckedRequest,
    kind: SingleKind,
    id: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Result<OperationResult, ApiFailure>> => {
    const found = await find(tenant, kind, id);
    if (found === null) return fail(noRecord(kind));
    return ok({ json: found.shown, headers: { ...headers, etag: etagOf(found.document) } });
  };

  const create = async (request: CheckedRequest, kind: SingleKind, record: AccessModelRecord) => {
    const written = await write(request, { kind, change: 'CREATE', record, from: null });
    if (written !== null && !written.ok) return written;
    return answer(request, kind, record.id, { location: `${PATHS[kind]}/${record.id}` });
  };

  const put = async (
    request: RequestOfOne & { readonly body: { readonly id?: string } },
    kind: SingleKind,
    record: AccessModelRecord,
  ) => {
    const { id = record.id } = request.body;
    if (id !== record.id) return fail(failure('IllegalValue', 'id', 'must be that of the path, or be left out'));
    const written = await write(request, { kind, change: 'REPLACE', record, from: null });
    return written !== null && !written.ok ? written : answer(request, kind, record.id);
  };

  const patch = async <K extends SingleKind>(
    request: RequestOfOne & { readonly body: Patch },
    kind: K,
    toRecord: (fields: unknown) => Result<AccessModelRecord, Failure>,
  ): Promise<Result<OperationResult, ApiFailure>> => {
    const { id } = request.params;
    for (;;) {
      const found = await find(request.caller.tenant, kind, id);
      if (found === null) return fail(noRecord(kind));
      const patched = patchRecord(kind, found.document, request.body);
      const record = patched.ok ? toRecord(patched.value) : patched;
      if (!record.ok) {
        // A failed test is told to callers of any version, as are rights and references.
        const known = record.failure.type === 'Conflict' ? ok(null) : ifMatch(request.c)(found.document);
        return known.ok ? record : known;
      }
      const change = { kind, change: 'REPLACE', record: record.value, from: found.document } as const;
      const written = await write(request, change);
      // Another caller was faster: the patch is applied to what that one has left.
      if (written !== null) return written.ok ? answer(request, kind, id) : written;
    }
  };

  const remove = async (request: RequestOfOne, kind: SingleKind): Promise<Result<OperationResult, ApiFailure>> => {
    const record = { kind, id: request.params.id, delete: true } as const;
    const written = await write(request, { kind, change: 'DELETE', record, from: null });
    return written !== null && !written.ok ? written : ok({ isEmpty: true });
  };

  return {
    'create-identity-v1': (request) => create(request, 'identity', { kind: 'identity', ...request.body }),
    'put-identity-v1': (request) =>
      put(request, 'identity', { kind: 'identity', ...request.body, id: request.params.id }),
    'patch-identity-v1': (request) =>
      patch(request, 'identity', (given) => {
        const fields = validate(changedRecords.identity, given);
        return fields.ok ? ok({ kind: 'identity', ...fields.value, id: request.params.id }) : fields;
      }),
    'delete-identity-v1': (request) => remove(request, 'identity'),

    'create-entitlement-v1': (request) => create(request, 'entitlement', { kind: 'entitlement', ...request.body }),
    'put-entitlement-v1': (request) =>
      put(request, 'entitlement', { kind: 'entitlement', ...request.body, id: request.params.id }),
    'patch-entitlement-v1': (request) =>
      patch(request, 'entitlement', (given) => {
        const fields = validate(changedRecords.entitlement, given);
        return fields.ok ? ok({ kind: 'entitlement', ...fields.value, id: request.params.id }) : fields;
      }),
    'delete-entitlement-v1': (request) => remove(request, 'entitlement'),

    'create-access-profile-v1': (request) =>
      create(request, 'accessProfile', { kind: 'accessProfile', ...request.body }),
    'put-access-profile-v1': (request) =>
      put(request, 'accessProfile', { kind: 'accessProfile', ...request.body, id: request.params.id }),
    'patch-access-profile-v1': (request) =>
      patch(request, 'accessProfile', (given) => {
        const fields = validate(changedRecords.accessProfile, given);
        return fields.ok ? ok({ kind: 'accessProfile', ...fields.value, id: request.params.id }) : fields;
      }),
    'delete-access-profile-v1': (request) => remove(request, 'accessProfile'),

    'create-role-v1': (request) => create(request, 'role', { kind: 'role', ...request.body }),
    'put-role-v1': (request) => put(request, 'role', { kind: 'role', ...request.body, id: request.params.id }),
    'patch-role-v1': (request) =>
      patch(request, 'role', (given) => {
        const fields = validate(changedRecords.role, given);
        return fields.ok ? ok({ kind: 'role', ...fields.value, id: request.params.id }) : fields;
      }),
    'delete-role-v1': (request) => remove(request, 'role'),

    'create-identity-profile-v1': (request) =>
      create(request, 'identityProfile', { kind: 'identityProfile', ...request.body }),
    'put-identity-profile-v1': (request) =>
      put(request, 'identityProfile', { kind: 'identityProfile', ...request.body, id: request.params.id }),
    'patch-identity-profile-v1': (request) =>
      patch(request, 'identityProfile', (given) => {
        const fields = validate(changedRecords.identityProfile, given);
        return fields.ok ? ok({ kind: 'identityProfile', ...fields.value, id: request.params.id }) : fields;
      }),
    'delete-identity-profile-v1': (request) => remove(request, 'identityProfile'),
  } satisfies Partial<OperationHandlers>;
}

/** Removes `line 1` from the causes of a failure: the caller sent one record, not a file of lines. */
const withoutLine = <F extends ApiFailure>(failed: F): F => ({
  ...failed,
  causes: failed.causes.map((cause) => ({ ...cause, at: cause.at.replace(/^line 1(: )?/, '') })),
});
