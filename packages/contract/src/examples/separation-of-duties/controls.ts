import type { OperationExamples } from '../definition.ts';

const REQUEST = {
  name: 'Second signature',
  description: 'Another manager signs each payment.',
  owner: { type: 'IDENTITY', id: 'i-0280' },
  expiration: '20d',
  justificationRequired: true,
};

const SHOWN = {
  id: 'c-second-signature',
  name: 'Second signature',
  description: 'Another manager signs each payment.',
  owner: { type: 'IDENTITY', id: 'i-0280', name: 'Arjun Sharma' },
  secondaryOwners: [],
  type: 'Mitigation',
  expiration: '20d',
  justificationRequired: true,
  created: '2026-11-22T17:02:59.389Z',
  modified: '2026-11-22T17:02:59.389Z',
};

/** Compensating controls. */
export const CONTROLS_EXAMPLES = {
  'create-control-v1': { request: { id: 'c-second-signature', ...REQUEST }, response: SHOWN },
  'list-controls-v1': { query: { limit: 1 }, response: [SHOWN] },
  'get-control-v1': { path: { id: 'c-second-signature' }, response: SHOWN },
  'put-control-v1': { path: { id: 'c-second-signature' }, request: REQUEST, response: SHOWN },
  'patch-control-v1': {
    path: { id: 'c-second-signature' },
    request: [{ op: 'replace', path: '/expiration', value: '30d' }],
    response: { ...SHOWN, expiration: '30d', modified: '2026-11-22T17:03:10.002Z' },
  },
  'delete-control-v1': { path: { id: 'c-second-signature' } },
} as const satisfies OperationExamples;
