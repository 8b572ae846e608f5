import { LOOK_UPS } from '@access-admin/contract';
import { type AccessType, DOCUMENTS_OF_SHOWN, fail, failure, ok, type RecordDocument } from '@access-admin/domain';
import {
  type FoundRecords,
  type LookUpCondition,
  type LookUpKind,
  type LookUpQuery,
  type LookUpSorter,
  lookUpKeysOf,
} from '@access-admin/store';
import { Hono } from 'hono';
import type { ApiEnv, RequestContext } from '../env.ts';
import type { Answer } from '../http/answer.ts';
import { type Input, route } from '../operations/route.ts';
import type { ListOrder } from './answers/cursor.ts';
import { answerCursorList, type CursorListQuery } from './answers/cursor-list.ts';
import { etagOf } from './answers/etag.ts';

/** Look-ups of the access model. */
export const lookUps = () =>
  new Hono<ApiEnv>()
    .on(...route(LOOK_UPS.identities, (c, input) => listRecords(c, 'identity', input)))
    .on(...route(LOOK_UPS.identity, (c, input) => getRecord(c, 'identity', input)))
    .on(...route(LOOK_UPS.entitlements, (c, input) => listRecords(c, 'entitlement', input)))
    .on(...route(LOOK_UPS.entitlement, (c, input) => getRecord(c, 'entitlement', input)))
    .on(...route(LOOK_UPS.entitlementHolders, (c, input) => listHolders(c, 'ENTITLEMENT', input)))
    .on(...route(LOOK_UPS.accessProfiles, (c, input) => listRecords(c, 'access_profile', input)))
    .on(...route(LOOK_UPS.accessProfile, (c, input) => getRecord(c, 'access_profile', input)))
    .on(...route(LOOK_UPS.accessProfileHolders, (c, input) => listHolders(c, 'ACCESS_PROFILE', input)))
    .on(...route(LOOK_UPS.roles, (c, input) => listRecords(c, 'role', input)))
    .on(...route(LOOK_UPS.role, (c, input) => getRecord(c, 'role', input)))
    .on(...route(LOOK_UPS.roleHolders, (c, input) => listHolders(c, 'ROLE', input)))
    .on(...route(LOOK_UPS.identityProfiles, (c, input) => listRecords(c, 'identity_profile', input)))
    .on(...route(LOOK_UPS.identityProfile, (c, input) => getRecord(c, 'identity_profile', input)));

function listRecords(
  c: RequestContext,
  kind: LookUpKind,
  { caller: { tenant }, query: asked }: ListInput,
): Promise<Answer> {
  const { lookUps } = c.env.services.store;
  const query = queryOf(asked);
  return answerCursorList(c, asked, {
    order: { keys: lookUpKeysOf(query), isValue: isText },
    read: async (page) => {
      const { records, next } = await lookUps.list({ tenant, kind, query }, page);
      return ok({ rows: records, next });
    },
    count: () => lookUps.count({ tenant, kind, conditions: query.conditions }),
  });
}

async function getRecord<K extends LookUpKind>(
  c: RequestContext,
  kind: K,
  { caller, params }: Input<typeof LOOK_UPS.identity>,
): Promise<Answer> {
  const record = await c.env.services.store.lookUps.find(caller.tenant, kind, params.id);
  if (record === null) return notFound(kind);
  // Names of others and numbers of violations change without the record.
  return c.json(record, 200, { etag: etagOf(DOCUMENT_OF[kind](record)) });
}

function listHolders(
  c: RequestContext,
  type: AccessType,
  { caller, params, query }: Input<typeof LOOK_UPS.roleHolders>,
): Promise<Answer> {
  const { lookUps } = c.env.services.store;
  const target = { type, id: params.id };
  return answerCursorList(c, query, {
    order: HOLDER_ORDER,
    read: async (page) => {
      const found = await lookUps.listHolders(caller.tenant, target, page);
      return found === null ? notFound(KINDS[type]) : ok({ rows: found.records, next: found.next });
    },
    count: () => lookUps.countHolders(caller.tenant, target),
  });
}

/** A request for a list of any kind of record. */
interface ListInput extends Pick<Input, 'caller'> {
  readonly query: RecordsQuery;
}

interface RecordsQuery extends CursorListQuery {
  readonly filters: readonly (Omit<LookUpCondition, 'field'> & { readonly field: keyof typeof CONDITION_FIELDS })[];
  readonly sorters: readonly (Omit<LookUpSorter, 'field'> & { readonly field: keyof typeof SORTER_FIELDS })[];
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

const queryOf = ({ filters, sorters }: RecordsQuery): LookUpQuery => ({
  conditions: filters.map((condition) => ({ ...condition, field: CONDITION_FIELDS[condition.field] })),
  sorters: sorters.map((sorter) => ({ ...sorter, field: SORTER_FIELDS[sorter.field] })),
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
