import createClient from 'openapi-fetch';
import type { paths } from './openapi-fetch/schema.js';

const {
  SERVICE_URL: baseUrl = '',
  CLIENT_ID = '',
  CLIENT_SECRET = '',
  PREFIX: p = '',
  LINES: lines = '',
} = process.env;

function known<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('no value');
  return value;
}

const api = createClient<paths>({ baseUrl });
const token = await api.POST('/oauth/token', {
  body: { grant_type: 'client_credentials', client_id: CLIENT_ID, client_secret: CLIENT_SECRET },
  bodySerializer: (body) => new URLSearchParams(body),
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
});
api.use({
  onRequest({ request }) {
    request.headers.set('Authorization', `Bearer ${known(token.data).access_token}`);
  },
});
const imported = await api.POST('/access-model/v1/import', {
  body: lines,
  bodySerializer: (body) => body,
  headers: { 'Content-Type': 'application/x-ndjson' },
});
const listed = await api.GET('/entitlements/v1', {
  params: { query: { filters: `id in ("${p}-pay", "${p}-vendor")`, sorters: '-id', limit: 10, count: true } },
});
const identity = await api.GET('/identities/v1/{id}', { params: { path: { id: `${p}-ada` } } });
const patched = await api.PATCH('/auth-users/v1/{id}', {
  params: { path: { id: `${p}-ada` } },
  body: [{ op: 'replace', path: '/capabilities', value: ['HELPDESK'] }],
  headers: { 'Content-Type': 'application/json-patch+json' },
});
const side = (id: string) => ({ criteriaList: [{ type: 'ENTITLEMENT' as const, id }] });
const policy = await api.POST('/sod-policies/v1', {
  body: {
    name: `${p} policy`,
    level: 'CRITICAL',
    conflictingAccessCriteria: { leftCriteria: side(`${p}-pay`), rightCriteria: side(`${p}-vendor`) },
  },
});
const predicted = await api.POST('/sod-violations/v1/predict', {
  params: { query: { include: ['via'] } },
  body: { identityId: `${p}-ada`, accessRefs: [{ type: 'ENTITLEMENT', id: `${p}-pay` }] },
});
const [context] = known(predicted.data).violationContexts;
const { policy: violated, conflictingAccessCriteria: criteria } = known(context);
const profiles = await api.GET('/auth-profiles/v1', { params: { header: { 'X-Service-Experimental': 'true' } } });
const exported = await api.GET('/access-model/v1/export', { parseAs: 'text' });
const created = await api.POST('/oauth-clients/v1', { body: { name: p, scopes: ['sod-policies:read'] } });
const missing = await api.GET('/controls/v1/{id}', { params: { path: { id: `${p}-none` } } });
const refused = await api.POST('/controls/v1', { body: { name: p, expiration: '0d' } });
const removed = await api.DELETE('/oauth-clients/v1/{id}', { params: { path: { id: known(created.data).id } } });

console.log(
  JSON.stringify({
    token: known(token.data).token_type,
    imported: known(imported.data).counts.entitlement.created,
    warnings: known(imported.data).warnings.map(({ code, severity }) => [code, severity]),
    listed: known(listed.data).map(({ id }) => id),
    lastLogin: known(identity.data).lastLoginTimestamp,
    assigned: known(identity.data).assignments.map(({ id, end }) => [id, end]),
    capabilities: known(patched.data).capabilities,
    level: known(policy.data).level,
    violated: [violated.name, violated.level],
    left:
      'leftCriteria' in criteria
        ? criteria.leftCriteria.criteriaList.map(({ id, via }) => [id, known(via).length])
        : [],
    hasProfile: known(profiles.data).some(({ name }) => name === `${p} people`),
    isExported: known(exported.data).includes(`"id":"${p}-vendor"`),
    scopes: known(created.data).scopes,
    missing: [missing.response.status, known(missing.error).detailCode],
    refused: [refused.response.status, known(refused.error).causes.map(({ detailCode }) => detailCode)],
    removed: removed.response.status,
  }),
);
