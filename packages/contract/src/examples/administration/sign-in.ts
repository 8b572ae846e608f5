import type { OperationExamples } from '../definition.ts';

/** The settings of sign-in, and decisions. */
export const SIGN_IN_EXAMPLES = {
  'get-auth-org-lockout-config-v1': {
    response: { maximumAttempts: 5, lockoutDuration: 15, lockoutWindow: 5 },
  },
  'patch-auth-org-lockout-config-v1': {
    request: [{ op: 'replace', path: '/maximumAttempts', value: 3 }],
    response: { maximumAttempts: 3, lockoutDuration: 15, lockoutWindow: 5 },
  },
  'get-auth-org-session-config-v1': {
    response: { maxIdleTime: 15, rememberMe: false, maxSessionTime: 480 },
  },
  'patch-auth-org-session-config-v1': {
    request: [{ op: 'replace', path: '/maxIdleTime', value: 30 }],
    response: { maxIdleTime: 30, rememberMe: false, maxSessionTime: 480 },
  },
  'get-auth-org-network-config-v1': {
    response: { range: null, geolocation: null, whitelisted: false },
  },
  'set-auth-org-network-config-v1': {
    request: { range: ['10.0.0.0/8', '2001:db8::/32'], geolocation: ['CH', 'DE'], whitelisted: true },
    response: { range: ['10.0.0.0/8', '2001:db8::/32'], geolocation: ['CH', 'DE'], whitelisted: true },
  },
  'patch-auth-org-network-config-v1': {
    request: [{ op: 'add', path: '/range/-', value: '203.0.113.7' }],
    response: {
      range: ['10.0.0.0/8', '2001:db8::/32', '203.0.113.7'],
      geolocation: ['CH', 'DE'],
      whitelisted: true,
    },
  },
  'decide-sign-in-v1': {
    request: { username: 'grace.bennett', ip: '203.0.113.7', country: 'DE' },
    response: {
      decision: 'SECOND_FACTOR',
      reasons: ['SECOND_FACTOR_REQUIRED', 'NOT_CONFIGURED'],
      authProfile: { id: 'ip-administrators', name: 'Administrators', type: 'MFA' },
      verifiedBy: 'PASSWORD',
    },
  },
  'create-sign-in-link-v1': {
    path: { id: 'i-0280' },
    request: { hours: 8 },
    response: {
      url: 'http://127.0.0.1:8080/sign-in-link/shown-in-this-answer-alone',
      expires: '2026-11-23T01:03:00.000Z',
    },
  },
  'get-credentials-v1': {
    path: { id: 'i-0280' },
    response: {
      password: null,
      totp: false,
      passkeys: [],
      recoveryCodesLeft: 0,
      failedAttempts: 0,
      lockedUntil: null,
    },
  },
  'remove-credential-v1': { path: { id: 'i-0280', credentialId: 'totp' } },
  'unlock-auth-user-v1': { path: { id: 'i-0280' } },
  'remove-credentials-v1': { path: { id: 'i-0280' } },
  'list-sessions-v1': { query: { filters: 'identityId eq "i-0280"' }, response: [] },
  'end-session-v1': {},
} as const satisfies OperationExamples;
