import { expect, test } from 'vitest';
import { type CoveringRights, type PresentRights, webhookReaderOf } from './coverage.ts';

const SCOPES = ['sod-policies:read', 'webhooks:manage'];
const APPLICATION: CoveringRights = { scopes: SCOPES, identityId: null };
const IDENTITY: CoveringRights = { scopes: SCOPES, identityId: 'ada' };

test.each<[string, CoveringRights, PresentRights, readonly string[] | null]>([
  ['an application', APPLICATION, { scopes: SCOPES, capabilities: [] }, SCOPES],
  ['an administrator', IDENTITY, { scopes: SCOPES, capabilities: ['ORG_ADMIN'] }, SCOPES],
  ['more scopes', APPLICATION, { scopes: [...SCOPES, 'events:read'], capabilities: [] }, SCOPES],
  ['fewer scopes', APPLICATION, { scopes: ['webhooks:manage'], capabilities: [] }, ['webhooks:manage']],
  ['a lost scope', APPLICATION, { scopes: ['sod-policies:read'], capabilities: [] }, null],
  ['a lost capability', IDENTITY, { scopes: SCOPES, capabilities: ['POLICY_ADMIN'] }, null],
  ['a deleted client', APPLICATION, { scopes: null, capabilities: [] }, null],
  ['a deleted identity', IDENTITY, { scopes: SCOPES, capabilities: null }, null],
])('a webhook of %s gets what its caller may read now', (_, rights, present, scopes) => {
  const coverage = webhookReaderOf(rights, present);
  expect(coverage.ok ? [...coverage.value.scopes] : null).toEqual(scopes);
});
