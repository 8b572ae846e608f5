export * from './import-lines.ts';
export * from './limits.ts';
export * from './openapi.ts';
export * from './operations.ts';
export { newOauthClient } from './schemas/oauth-clients.ts';
export { identityWithNewAccess } from './schemas/sod-violations.ts';
export { tenantUiMetadataUpdate } from './schemas/ui-metadata.ts';
export * from './strict-json.ts';
export * from './validate.ts';
