import type { Control } from '@access-admin/domain';
import type { ControlRow } from '../../schema/tables.ts';

export const controlToRow = (tenant: string, control: Control): ControlRow => ({
  tenant,
  id: control.id,
  name: control.name,
  description: control.description,
  owner_id: control.owner?.id ?? null,
  secondary_owner_ids: JSON.stringify(control.secondaryOwners.map(({ id }) => id)),
  expiration: control.expiration,
  justification_required: Number(control.justificationRequired),
  created: control.created,
  modified: control.modified,
});

export const rowToControl = (row: ControlRow): Control => ({
  id: row.id,
  name: row.name,
  description: row.description,
  owner: row.owner_id === null ? null : unnamed(row.owner_id),
  secondaryOwners: (JSON.parse(row.secondary_owner_ids) as readonly string[]).map(unnamed),
  type: 'Mitigation',
  expiration: row.expiration,
  justificationRequired: row.justification_required === 1,
  created: row.created,
  modified: row.modified,
});

const unnamed = (id: string) => ({ type: 'IDENTITY', id, name: null }) as const;
