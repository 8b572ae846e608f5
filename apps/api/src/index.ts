export { moveTenant, requestTenantRemoval } from './audit/operate-tenants.ts';
export {
  type BootstrapCredentials,
  type ResetClient,
  resetBootstrapClient,
} from './auth/client-secrets/bootstrap-client.ts';
export { createSecrets } from './auth/client-secrets/secrets.ts';
export { rotateSigningKey } from './auth/signing-keys.ts';
export { type Config, parseConfig } from './config.ts';
export { system } from './process/system.ts';
export { illegalInvitation, inviteAdministrator } from './sign-in/invite-administrator.ts';
