import {
  type AccessType,
  DOCUMENTS_OF_SHOWN,
  type Failure,
  fail,
  failure,
  ok,
  type RecordDocument,
  type Result,
} from '@access-admin/domain';
import {
  type FoundRecords,
  type LookUpCondition,
  type LookUpKind,
  type LookUpQuery,
  type LookUpSorter,
  type LookUpStore,
  lookUpKeysOf,
} from '@access-admin/store';
import { answerCursorList, type CursorListDeps, type CursorListRequest } from '../../operations/answers.ts';
import type { CheckedRequest, OperationHandlers, OperationResult } from '../../operations/operation.ts';
import type { ListOrder } from '../answers/cursor.ts';
import { etagOf } from '../answers/etag.ts';

export interface LookUpParts extends CursorListDeps {
  readonly lookUps: LookUpStore;
}

export function lookUpHandlers({ lookUps, ...deps }: LookUpParts) {
  const listRecords = (kind: LookUpKind, request: RecordsRequest) => {
    const { tenant } = request.caller;
    const query = queryOf(request);
    return answerCursorList(request, deps, {
      order: { keys: lookUpKeysOf(query), isValue: isText },
      read: async (page) => {
        const { records, next } = await lookUps.list({ tenant, kind, query }, page);
        return ok({ rows: records, next });
      },
      count: () => lookUps.count({ tenant, kind, conditions: query.conditions }),
    });
  };

  const getRecord = async <K extends LookUpKind>(
    kind: K,
    { caller, params }: RequestOfOne,
  ): Promise<Result<OperationResult, Failure>> => {
    const record = await lookUps.find(caller.tenant, kind, params.id);
    if (record === null) return notFound(kind);
    // Names of others and numbers of violations change without the record.
    return ok({ json: record, headers: { etag: etagOf(DOCUMENT_OF[kind](record)) } });
  };

  const listHolders = (type: AccessType, request: CursorListRequest & RequestOfOne) => {
    const { caller, params } = request;
    const target = { type, id: params.id };
    return answerCursorList(request, deps, {
      order: HOLDER_ORDER,
      read: async (page) => {
        const found = await lookUps.listHolders(caller.tenant, target, page);
        return found === null ? notFound(KINDS[type]) : ok({ rows: found.records, next: found.next });
      },
      count: () => lookUps.countHolders(caller.tenant, target),
    });
  };

  return {
    'list-identities-v1': (request) => listRecords('identity', request),
    'get-identity-v1': (request) => getRecord('identity', request),

    'list-entitlements-v1': (request) => listRecords('entitlement', request),
    'get-entitlement-v1': (request) => getRecord('entitlement', request),
    'list-entitlement-holders-v1': (request) => listHolders('ENTITLEMENT', request),

    'list-access-profiles-v1': (request) => listRecords('access_profile', request),
    'get-access-profile-v1': (request) => getRecord('access_profile', request),
    'list-access-profile-holders-v1': (request) => listHolders('ACCESS_PROFILE', request),

    'list-roles-v1': (request) => listRecords('role', request),
    'get-role-v1': (request) => getRecord('role', request),
    'list-role-holders-v1': (request) => listHolders('ROLE', request),

    'list-identity-profiles-v1': (request) => listRecords('identity_profile', request),
    'get-identity-profile-v1': (request) => getRecord('identity_profile', request),
  } satisfies Partial<OperationHandlers>;
}

interface RequestOfOne extends CheckedRequest {
  readonly params: { readonly id: string };
}

/** A request for a list of any kind of record. */
interface RecordsRequest extends CursorListRequest {
  readonly query: CursorListRequest['query'] & {
    readonly filters: readonly (Omit<LookUpCondition, 'field'> & { readonly field: keyof typeof CONDITION_FIELDS })[];
    readonly sorters: readonly (Omit<LookUpSorter, 'field'> & { readonly field: keyof typeof SORTER_FIELDS })[];
  };
}

/** How the store names the fields that filters compare. */
const CONDITION_FIELDS = {
  id: 'id',
  name: 'name',
  displayName: 'name',
  uid: 'uid',
  email: 'email',
  source: 'parent',
  identityProfileId: 'parent',
  any: 'any',
  externalId: 'externalId',
  'attributes.*': 'attribute',
} as const satisfies Record<string, LookUpCondition['field']>;

/** How it names the fields that lists are sorted by. */
const SORTER_FIELDS = {
  id: 'id',
  name: 'name',
  displayName: 'name',
} as const satisfies Record<string, LookUpSorter['field']>;

const queryOf = ({ query }: RecordsRequest): LookUpQuery => ({
  conditions: query.filters.map((condition) => ({ ...condition, field: CONDITION_FIELDS[condition.field] })),
  sorters: query.sorters.map((sorter) => ({ ...sorter, field: SORTER_FIELDS[sorter.field] })),
});

// PostgreSQL rejects NUL in a text.
const isText = (_column: string, value: unknown) => typeof value === 'string' && !value.includes('\0');

/** The order of holders: by identity, then by the way. */
const HOLDER_ORDER: ListOrder = {
  keys: [
    { column: 'id', descends: false },
    { column: 'taken', descends: false },
  ],
  isValue: (column, value) =>
    column === 'id' ? isText(column, value) : Number.isSafeInteger(value) && Number(value) >= 0,
};

const DOCUMENT_OF: { readonly [K in LookUpKind]: (record: FoundRecords[K]) => RecordDocument } = {
  entitlement: DOCUMENTS_OF_SHOWN.entitlement,
  access_profile: DOCUMENTS_OF_SHOWN.accessProfile,
  role: DOCUMENTS_OF_SHOWN.role,
  identity_profile: DOCUMENTS_OF_SHOWN.identityProfile,
  identity: DOCUMENTS_OF_SHOWN.identity,
};

const KINDS = { ENTITLEMENT: 'entitlement', ACCESS_PROFILE: 'access_profile', ROLE: 'role' } as const;

const notFound = (kind: LookUpKind) => fail(failure('NotFound', '', `There is no such ${kind.replace('_', ' ')}.`));
