import { client } from './hey-api/client.gen.js';
import * as api from './hey-api/index.js';

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

client.setConfig({ baseUrl });
const token = await api.createToken({
  body: { grant_type: 'client_credentials', client_id: CLIENT_ID, client_secret: CLIENT_SECRET },
});
client.setConfig({ auth: known(token.data).access_token });

const imported = await api.importAccessModelV1({ body: lines, bodySerializer: (body) => body });
const listed = await api.listEntitlementsV1({
  query: { filters: `id in ("${p}-pay", "${p}-vendor")`, sorters: '-id', limit: 10, count: true },
});
const identity = await api.getIdentityV1({ path: { id: `${p}-ada` } });
const patched = await api.patchAuthUserV1({
  path: { id: `${p}-ada` },
  body: [{ op: 'replace', path: '/capabilities', value: ['HELPDESK'] }],
});
const side = (id: string) => ({ criteriaList: [{ type: 'ENTITLEMENT' as const, id }] });
const policy = await api.createSodPolicyV1({
  body: {
    name: `${p} policy`,
    level: 'CRITICAL',
    conflictingAccessCriteria: { leftCriteria: side(`${p}-pay`), rightCriteria: side(`${p}-vendor`) },
  },
});
const predicted = await api.startPredictSodViolationsV1({
  query: { include: ['via'] },
  body: { identityId: `${p}-ada`, accessRefs: [{ type: 'ENTITLEMENT', id: `${p}-pay` }] },
});
const [context] = known(predicted.data).violationContexts;
const { policy: violated, conflictingAccessCriteria: criteria } = known(context);
const profiles = await api.getProfileConfigListV1({ headers: { 'X-Service-Experimental': 'true' } });
const exported = await api.exportAccessModelV1({ parseAs: 'text' });
const created = await api.createOauthClientV1({ body: { name: p, scopes: ['sod-policies:read'] } });
const missing = await api.getControlV1({ path: { id: `${p}-none` } });
const refused = await api.createControlV1({ body: { name: p, expiration: '0d' } });
const removed = await api.deleteOauthClientV1({ path: { id: known(created.data).id } });

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
    missing: [missing.response?.status, known(missing.error).detailCode],
    refused: [refused.response?.status, known(refused.error).causes.map(({ detailCode }) => detailCode)],
    removed: removed.response?.status,
  }),
);
