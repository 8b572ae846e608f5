import type { OperationExamples } from '../definition.ts';

const WEBHOOK = {
  id: '4b1ad0c2-6f0b-4a44-9d9e-4f3f2f1b7c55',
  name: 'SIEM',
  url: 'https://siem.example.com/access-admin',
  types: ['sod.violation.*', 'auth-user.capabilities-changed'],
  enabled: true,
  created: '2026-11-22T17:02:59.760Z',
  modified: '2026-11-22T17:02:59.760Z',
} as const;

const RENAMED = { ...WEBHOOK, name: 'Security operations', modified: '2026-11-22T17:03:00.040Z' } as const;

const TEST = {
  id: '019aac5a-4f00-7c55-9d9e-4f3f2f1b7c55',
  eventId: '5e0f6d53-1d6a-4f0e-8a53-0d7a52c3f6a1',
  type: 'webhook.test',
  sequence: null,
  state: 'PENDING',
  created: '2026-11-22T17:03:01.120Z',
  attempts: [],
  next: '2026-11-22T17:03:01.120Z',
} as const;

/** Webhooks. */
export const WEBHOOKS_EXAMPLES = {
  'create-webhook-v1': {
    request: {
      name: 'SIEM',
      url: 'https://siem.example.com/access-admin',
      types: ['sod.violation.*', 'auth-user.capabilities-changed'],
    },
    response: { ...WEBHOOK, secret: 'shown in this answer alone' },
  },
  'list-webhooks-v1': { query: { limit: 1 }, response: [WEBHOOK] },
  'get-webhook-v1': { response: WEBHOOK },
  'patch-webhook-v1': {
    request: [{ op: 'replace', path: '/name', value: 'Security operations' }],
    response: RENAMED,
  },
  'rotate-webhook-secret-v1': {
    request: {},
    response: { ...RENAMED, modified: '2026-11-22T17:03:00.310Z', secret: 'shown in this answer alone' },
  },
  'test-webhook-v1': { request: {}, response: TEST },
  'list-webhook-deliveries-v1': { query: { limit: 1 }, response: [TEST] },
  'resend-webhook-delivery-v1': { request: {}, response: TEST },
  'replay-webhook-v1': { request: { after: '0' }, response: RENAMED },
  'delete-webhook-v1': {},
} as const satisfies OperationExamples;
