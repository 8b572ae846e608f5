import { type Columns, createTable, type Engine } from './columns.ts';

/** Compensating controls, and their applications to violations. */
export const CONTROL_TABLES = {
  control: {
    tenant: 'text',
    id: 'text',
    name: 'text',
    description: 'text?',
    owner_id: 'text?',
    /** JSON: array of ids of identities. */
    secondary_owner_ids: 'text',
    expiration: 'text',
    justification_required: 'integer',
    created: 'text',
    modified: 'text',
  },
  /** Its state is that of its exception. */
  applied_control: {
    tenant: 'text',
    id: 'text',
    violation_id: 'text',
    control_id: 'text',
    /** The name at the application. */
    control_name: 'text',
    exception_id: 'text',
    applier_id: 'text',
    applied: 'text',
    comments: 'text?',
  },
} as const satisfies Readonly<Record<string, Columns>>;

/** Adds controls, and an index of the owners of policies. */
export const controlStatements = (engine: Engine): readonly string[] => [
  'create index sod_policy_owner on sod_policy (tenant, owner_id) where owner_id is not null',
  createTable(engine, 'control', [CONTROL_TABLES.control, 'primary key (tenant, id)']),
  createTable(engine, 'applied_control', [CONTROL_TABLES.applied_control, 'primary key (tenant, id)']),
  'create index applied_control_violation on applied_control (tenant, violation_id, applied)',
  'create index applied_control_control on applied_control (tenant, control_id)',
];
