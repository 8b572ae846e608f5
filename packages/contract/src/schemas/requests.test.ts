import { describe, expect, test } from 'vitest';
import { validate } from '../validation/validate.ts';
import { newOauthClient } from './clients.ts';
import { tenantUiMetadataUpdate } from './ui-metadata.ts';

describe('newOauthClient', () => {
  test.each([
    ['an unknown scope', { name: 'c', scopes: ['all'] }, 'IllegalValue'],
    ['a repeated scope', { name: 'c', scopes: ['auth-users:read', 'auth-users:read'] }, 'IllegalValue'],
    ['no scope', { name: 'c', scopes: [] }, 'RequiredMissing'],
    ['scopes as a string', { name: 'c', scopes: 'auth-users:read' }, 'IllegalValue'],
    ['a missing name', { scopes: ['auth-users:read'] }, 'RequiredMissing'],
    ['a bad tenant', { name: 'c', scopes: ['auth-users:read'], tenant: 'Acme' }, 'IllegalValue'],
  ])('rejects %s', (_, body, type) => {
    expect(validate(newOauthClient, body)).toMatchObject({ ok: false, failure: { type } });
  });
});

describe('tenantUiMetadataUpdate', () => {
  test('accepts either spelling of the whitelist, not both', () => {
    expect(validate(tenantUiMetadataUpdate, { iframeWhiteList: 'a' }).ok).toBe(true);
    expect(validate(tenantUiMetadataUpdate, { iFrameWhitelist: null }).ok).toBe(true);
    const both = { iframeWhiteList: 'a', iFrameWhitelist: 'a' };
    expect(validate(tenantUiMetadataUpdate, both)).toMatchObject({ ok: false, failure: { type: 'MalformedBody' } });
  });

  test('rejects unknown properties and values that are not strings', () => {
    expect(validate(tenantUiMetadataUpdate, { iframewhitelist: 'a' })).toMatchObject({
      failure: { type: 'MalformedBody' },
    });
    expect(validate(tenantUiMetadataUpdate, { usernameLabel: 7 })).toMatchObject({ failure: { type: 'IllegalValue' } });
  });
});
