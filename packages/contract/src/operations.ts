import type { OperationId } from '@access-admin/domain';
import type { GenericSchema } from 'valibot';
import * as v from 'valibot';
import type { FilterField } from './filters.ts';
import { IMPORT_BODY_BYTES_MAX, SMALL_BODY_BYTES_MAX, SOD_BODY_BYTES_MAX } from './limits.ts';
import { importAnswer } from './schemas/access-model.ts';
import { AUDIT_FILTERS, auditEvent, auditHead } from './schemas/audit-events.ts';
import { authProfile, authProfileSummaries } from './schemas/auth-profiles.ts';
import { authUser } from './schemas/auth-users.ts';
import { newOauthClient, oauthClient, oauthClientWithSecret } from './schemas/oauth-clients.ts';
import { identityWithNewAccess, sodCheck, sodViolationCheck, violationPrediction } from './schemas/sod-violations.ts';
import { tenantUiMetadata, tenantUiMetadataUpdate } from './schemas/ui-metadata.ts';

/** What a request body must be. `schema` is null where the body is not one JSON document, or is judged by the domain. */
export interface RequestBody {
  readonly mediaType: 'application/json' | 'application/json-patch+json' | 'application/x-ndjson';
  readonly bytesMax: number;
  readonly schema: GenericSchema | null;
}

/** What a success looks like. */
export interface SuccessAnswer {
  readonly status: 200 | 201 | 202 | 204;
  readonly mediaType: 'application/json' | 'application/x-ndjson' | null;
  readonly schema: GenericSchema | null;
}

/** One operation as it appears on the wire; rights are in the domain's table under the same id. */
export interface Operation {
  readonly id: OperationId;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `{name}` for path parameters. */
  readonly path: string;
  readonly group: string;
  readonly summary: string;
  /** Enabled only by the experimental header. */
  readonly experimental: boolean;
  readonly body: RequestBody | null;
  readonly answer: SuccessAnswer;
  /** Whether answers carry a strong ETag; writes then honour `If-Match`. */
  readonly etag: boolean;
  /** Whether repeats with the same `Idempotency-Key` count once. */
  readonly idempotencyKey: boolean;
  /** Whether the operation is a list with `limit`, `offset` and `count`. */
  readonly list: boolean;
  /** What a list can be filtered by; empty where it cannot. */
  readonly filters: Readonly<Record<string, FilterField>>;
  /** 4xx statuses beyond those that every operation can answer. */
  readonly refusals: readonly number[];
}

const json = (schema: GenericSchema, bytesMax: number): RequestBody => ({
  mediaType: 'application/json',
  bytesMax,
  schema,
});
const answer = (schema: GenericSchema, status: SuccessAnswer['status'] = 200): SuccessAnswer => ({
  status,
  mediaType: 'application/json',
  schema,
});
const patchBody: RequestBody = {
  mediaType: 'application/json-patch+json',
  bytesMax: SMALL_BODY_BYTES_MAX,
  schema: null,
};
const plain = {
  experimental: false,
  body: null,
  etag: false,
  idempotencyKey: false,
  list: false,
  filters: {},
  refusals: [],
} as const;

const experimental = { ...plain, experimental: true } as const;

/** Every operation that needs a token: the API mounts it, the SDK and the OpenAPI document follow it. */
export const OPERATIONS: readonly Operation[] = [
  {
    ...plain,
    id: 'get-auth-user-v1',
    method: 'GET',
    path: '/auth-users/v1/{id}',
    group: 'Auth Users',
    summary: 'Auth user details, with capabilities',
    answer: answer(authUser),
    etag: true,
    refusals: [404],
  },
  {
    ...plain,
    id: 'patch-auth-user-v1',
    method: 'PATCH',
    path: '/auth-users/v1/{id}',
    group: 'Auth Users',
    summary: 'Change the capabilities of an auth user',
    body: patchBody,
    answer: answer(authUser),
    etag: true,
    refusals: [404, 409, 412],
  },
  {
    ...experimental,
    id: 'get-profile-config-list-v1',
    method: 'GET',
    path: '/auth-profiles/v1',
    group: 'Auth Profiles',
    summary: 'List of auth profiles',
    answer: answer(authProfileSummaries),
    list: true,
  },
  {
    ...experimental,
    id: 'get-profile-config-v1',
    method: 'GET',
    path: '/auth-profiles/v1/{id}',
    group: 'Auth Profiles',
    summary: 'One auth profile',
    answer: answer(authProfile),
    etag: true,
    refusals: [404],
  },
  {
    ...experimental,
    id: 'patch-profile-config-v1',
    method: 'PATCH',
    path: '/auth-profiles/v1/{id}',
    group: 'Auth Profiles',
    summary: 'Change an auth profile',
    body: patchBody,
    answer: answer(authProfile),
    etag: true,
    refusals: [404, 409, 412],
  },
  {
    ...plain,
    id: 'start-predict-sod-violations-v1',
    method: 'POST',
    path: '/sod-violations/v1/predict',
    group: 'SOD Violations',
    summary: 'Violations that granting access items to an identity would cause',
    body: json(identityWithNewAccess, SOD_BODY_BYTES_MAX),
    answer: answer(violationPrediction),
    refusals: [404],
  },
  {
    ...plain,
    id: 'start-violation-check-v1',
    method: 'POST',
    path: '/sod-violations/v1/check',
    group: 'SOD Violations',
    summary: 'Start an asynchronous verification for an identity with new access',
    body: json(identityWithNewAccess, SOD_BODY_BYTES_MAX),
    answer: answer(sodViolationCheck, 202),
    idempotencyKey: true,
    refusals: [404],
  },
  {
    ...plain,
    id: 'get-violation-check-v1',
    method: 'GET',
    path: '/sod-violations/v1/check/{requestId}',
    group: 'SOD Violations',
    summary: 'State and result of a verification; `Prefer: wait=N` holds the answer until it is done',
    answer: answer(sodCheck),
    refusals: [404],
  },
  {
    ...experimental,
    id: 'get-tenant-ui-metadata-v1',
    method: 'GET',
    path: '/ui-metadata/v1/tenant',
    group: 'UI Metadata',
    summary: 'UI metadata of the tenant',
    answer: answer(tenantUiMetadata),
    etag: true,
  },
  {
    ...experimental,
    id: 'set-tenant-ui-metadata-v1',
    method: 'PUT',
    path: '/ui-metadata/v1/tenant',
    group: 'UI Metadata',
    summary: 'Update the UI metadata of the tenant',
    body: json(tenantUiMetadataUpdate, SMALL_BODY_BYTES_MAX),
    answer: answer(tenantUiMetadata),
    etag: true,
    refusals: [412],
  },
  {
    ...plain,
    id: 'create-oauth-client-v1',
    method: 'POST',
    path: '/oauth-clients/v1',
    group: 'OAuth Clients',
    summary: 'Register a client; its secret is shown this once',
    body: json(newOauthClient, SMALL_BODY_BYTES_MAX),
    answer: answer(oauthClientWithSecret, 201),
  },
  {
    ...plain,
    id: 'list-oauth-clients-v1',
    method: 'GET',
    path: '/oauth-clients/v1',
    group: 'OAuth Clients',
    summary: 'List of clients',
    answer: answer(v.array(oauthClient)),
    list: true,
  },
  {
    ...plain,
    id: 'get-oauth-client-v1',
    method: 'GET',
    path: '/oauth-clients/v1/{id}',
    group: 'OAuth Clients',
    summary: 'One client',
    answer: answer(oauthClient),
    refusals: [404],
  },
  {
    ...plain,
    id: 'delete-oauth-client-v1',
    method: 'DELETE',
    path: '/oauth-clients/v1/{id}',
    group: 'OAuth Clients',
    summary: 'Delete a client; its tokens stop working',
    answer: { status: 204, mediaType: null, schema: null },
    refusals: [404],
  },
  {
    ...plain,
    id: 'import-access-model-v1',
    method: 'POST',
    path: '/access-model/v1/import',
    group: 'Access Model',
    summary: 'Upsert and delete records of the access model, all or none',
    body: { mediaType: 'application/x-ndjson', bytesMax: IMPORT_BODY_BYTES_MAX, schema: null },
    answer: answer(importAnswer),
    refusals: [409],
  },
  {
    ...plain,
    id: 'export-access-model-v1',
    method: 'GET',
    path: '/access-model/v1/export',
    group: 'Access Model',
    summary: 'All records of the access model, in an order in which they can be imported',
    answer: { status: 200, mediaType: 'application/x-ndjson', schema: null },
  },
  {
    ...plain,
    id: 'list-audit-events-v1',
    method: 'GET',
    path: '/audit-events/v1',
    group: 'Audit Events',
    summary: 'What was changed and who was refused, by sequence',
    answer: answer(v.array(auditEvent)),
    list: true,
    filters: AUDIT_FILTERS,
  },
  {
    ...plain,
    id: 'export-audit-events-v1',
    method: 'GET',
    path: '/audit-events/v1/export',
    group: 'Audit Events',
    summary: 'All events, one a line, as audit-verify checks them',
    answer: { status: 200, mediaType: 'application/x-ndjson', schema: null },
  },
  {
    ...plain,
    id: 'get-audit-head-v1',
    method: 'GET',
    path: '/audit-events/v1/head',
    group: 'Audit Events',
    summary: 'The last event, signed: shows whether the end of an export was cut',
    answer: answer(auditHead),
  },
];

/** Endpoints that need no token. */
export const PUBLIC_ENDPOINTS = [
  { method: 'POST', path: '/oauth/token', summary: 'OAuth 2.0 token endpoint (client credentials)' },
  { method: 'GET', path: '/.well-known/jwks.json', summary: 'Public keys that verify our tokens' },
  { method: 'GET', path: '/.well-known/oauth-authorization-server', summary: 'Authorization server metadata' },
  { method: 'GET', path: '/healthz', summary: 'Whether the process is alive' },
  { method: 'GET', path: '/readyz', summary: 'Whether requests can be served' },
  { method: 'GET', path: '/metrics', summary: 'Metrics for Prometheus' },
  { method: 'GET', path: '/openapi.json', summary: 'This document' },
  { method: 'GET', path: '/docs', summary: 'Reference page' },
] as const;
