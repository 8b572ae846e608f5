import { sodViolation, sodViolations, VIOLATION_FILTERS, VIOLATION_SORTERS } from '../schemas/violations.ts';
import { defaults, jsonResponse, type Operation, type QueryParameter } from './definition.ts';

const group = 'Violations';

const SORT: QueryParameter = { name: 'sort', description: 'Another name of `sorters`.' };
const CURSOR: QueryParameter = {
  name: 'cursor',
  description: 'Where a page begins, as the `Link` of the page before has it: no page is slower than the first.',
};

const list = {
  ...defaults,
  method: 'GET',
  group,
  response: jsonResponse(sodViolations),
  list: true,
  filters: VIOLATION_FILTERS,
  sorters: VIOLATION_SORTERS,
  query: [SORT, CURSOR],
} as const;

/** The operations on the register of violations. */
export const VIOLATION_OPERATIONS: readonly Operation[] = [
  {
    ...list,
    id: 'list-violations-v1',
    path: '/violations/v1',
    summary: 'Violations of the register, present and ended ones, the newest first',
  },
  {
    ...defaults,
    id: 'get-violation-v1',
    method: 'GET',
    path: '/violations/v1/{id}',
    group,
    summary: 'One violation of the register',
    response: jsonResponse(sodViolation),
    etag: true,
    errorStatuses: [404],
  },
  {
    ...list,
    id: 'list-my-violations-v1',
    path: '/my-violations/v1',
    summary: 'The violations that the identity of the caller owns',
  },
];
