import { type AccessType, fail, failure, ok } from '@access-admin/domain';
import { type LookUpKind, type LookUpStore, lookUpKeysOf, type Store } from '@access-admin/store';
import type { OperationHandler, OperationHandlers } from '../../operations/operation.ts';
import type { ListOrder } from '../answers/cursor.ts';
import { answerCursorList } from '../answers/cursor-list.ts';
import { queryOf } from '../answers/list.ts';
import { withEtag } from '../answers/resource.ts';
import { parseLookUpQuery } from './query.ts';

export interface LookUpDeps {
  readonly store: Pick<Store, 'lookUps'>;
  readonly baseAddress: string;
}

export const lookUpHandlers = ({ store: { lookUps }, baseAddress }: LookUpDeps) => {
  const deps = { lookUps, baseAddress };
  return {
    'list-identities-v1': listRecords('identity', deps),
    'get-identity-v1': getRecord('identity', deps),
    'list-entitlements-v1': listRecords('entitlement', deps),
    'get-entitlement-v1': getRecord('entitlement', deps),
    'list-entitlement-holders-v1': listHolders('ENTITLEMENT', deps),
    'list-access-profiles-v1': listRecords('access_profile', deps),
    'get-access-profile-v1': getRecord('access_profile', deps),
    'list-access-profile-holders-v1': listHolders('ACCESS_PROFILE', deps),
    'list-roles-v1': listRecords('role', deps),
    'get-role-v1': getRecord('role', deps),
    'list-role-holders-v1': listHolders('ROLE', deps),
    'list-identity-profiles-v1': listRecords('identity_profile', deps),
    'get-identity-profile-v1': getRecord('identity_profile', deps),
  } satisfies Partial<OperationHandlers>;
};

interface ReadDeps {
  readonly lookUps: LookUpStore;
  readonly baseAddress: string;
}

/** list-identities-v1 and the lists of the other kinds */
const listRecords =
  (kind: LookUpKind, { lookUps, baseAddress }: ReadDeps): OperationHandler =>
  async (request) => {
    const query = parseLookUpQuery(queryOf(request), kind);
    if (!query.ok) return query;
    const { tenant } = request.caller;
    return answerCursorList(request, baseAddress, {
      order: { keys: lookUpKeysOf(query.value), isValue: isText },
      read: async (page) => {
        const { records, next } = await lookUps.list({ tenant, kind, query: query.value }, page);
        return ok({ rows: records, next });
      },
      count: () => lookUps.count({ tenant, kind, conditions: query.value.conditions }),
    });
  };

// PostgreSQL rejects NUL in a text.
const isText = (_column: string, value: unknown) => typeof value === 'string' && !value.includes('\0');

const TITLES: Readonly<Record<LookUpKind, string>> = {
  entitlement: 'entitlement',
  access_profile: 'access profile',
  role: 'role',
  identity_profile: 'identity profile',
  identity: 'identity',
};

/** get-identity-v1 and the reads of the other kinds */
const getRecord =
  (kind: LookUpKind, { lookUps }: ReadDeps): OperationHandler =>
  async ({ caller, params: { id = '' } }) => {
    const record = await lookUps.find(caller.tenant, kind, id);
    return record === null ? notFound(TITLES[kind]) : withEtag(record);
  };

const notFound = (title: string) => fail(failure('NotFound', '', `There is no such ${title}.`));

const HELD = { ENTITLEMENT: 'entitlement', ACCESS_PROFILE: 'access profile', ROLE: 'role' } as const;

/** The order of holders: by identity, then by the way. */
const HOLDER_ORDER: ListOrder = {
  keys: [
    { column: 'id', descends: false },
    { column: 'taken', descends: false },
  ],
  isValue: (column, value) =>
    column === 'id' ? isText(column, value) : Number.isSafeInteger(value) && Number(value) >= 0,
};

/** list-role-holders-v1 and those of entitlements and access profiles */
const listHolders =
  (type: AccessType, { lookUps, baseAddress }: ReadDeps): OperationHandler =>
  async (request) => {
    const { caller, params } = request;
    const target = { type, id: params['id'] ?? '' };
    return answerCursorList(request, baseAddress, {
      order: HOLDER_ORDER,
      read: async (page) => {
        const found = await lookUps.listHolders(caller.tenant, target, page);
        return found === null ? notFound(HELD[type]) : ok({ rows: found.records, next: found.next });
      },
      count: () => lookUps.countHolders(caller.tenant, target),
    });
  };
