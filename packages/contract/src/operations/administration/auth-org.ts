import { SMALL_BODY_BYTES_MAX } from '../../limits.ts';
import {
  lockoutConfig,
  networkConfig,
  newNetworkConfig,
  sessionConfig,
} from '../../schemas/administration/sign-in-settings.ts';
import { defaults, jsonResponse, type Operation, optionalJsonBody, patchBody } from '../definition.ts';
import { DRY_RUN_QUERY, NETWORK_CONFIG_OR_DRY_RUN } from './dry-run.ts';

const group = 'Sign-in Settings';

const [lockout, session, network] = [
  { path: '/auth-org/v1/lockout-config', response: jsonResponse(lockoutConfig) },
  { path: '/auth-org/v1/session-config', response: jsonResponse(sessionConfig) },
  { path: '/auth-org/v1/network-config', response: jsonResponse(networkConfig) },
];
const read = { ...defaults, method: 'GET', group, etag: true } as const;
const patch = { ...read, method: 'PATCH', body: patchBody, errorStatuses: [409, 412] } as const;

/** The operations on the settings of the tenant for signing in. */
export const AUTH_ORG_OPERATIONS: readonly Operation[] = [
  { ...read, ...lockout, id: 'get-auth-org-lockout-config-v1', summary: 'When failed attempts lock a user' },
  { ...patch, ...lockout, id: 'patch-auth-org-lockout-config-v1', summary: 'Change when failed attempts lock a user' },
  { ...read, ...session, id: 'get-auth-org-session-config-v1', summary: 'How long sessions last' },
  { ...patch, ...session, id: 'patch-auth-org-session-config-v1', summary: 'Change how long sessions last' },
  { ...read, ...network, id: 'get-auth-org-network-config-v1', summary: 'From where identities sign in' },
  {
    ...patch,
    ...network,
    id: 'set-auth-org-network-config-v1',
    method: 'POST',
    summary: 'Replace from where identities sign in',
    body: optionalJsonBody(newNetworkConfig, SMALL_BODY_BYTES_MAX),
  },
  {
    ...patch,
    ...network,
    id: 'patch-auth-org-network-config-v1',
    summary: 'Change from where identities sign in',
    response: NETWORK_CONFIG_OR_DRY_RUN,
    query: DRY_RUN_QUERY,
  },
];
