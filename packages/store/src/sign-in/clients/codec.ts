import { SCOPES } from '@access-admin/domain';
import type { OauthClientRow } from '../../schema/tables.ts';
import type { Client, NewClient } from './client.ts';

export const scopesOf = ({
  scopes,
  is_bootstrap,
}: Pick<OauthClientRow, 'scopes' | 'is_bootstrap'>): readonly string[] =>
  is_bootstrap === 1 ? SCOPES : JSON.parse(scopes);

export const clientToRow = (client: NewClient): OauthClientRow => ({
  tenant: client.tenant,
  id: client.id,
  name: client.name,
  scopes: JSON.stringify(client.scopes),
  identity_id: client.identityId,
  secret_hash: client.secretHash,
  secret_version: 1,
  previous_secret_hash: null,
  previous_secret_ends_ms: null,
  maker_capabilities: null,
  previous_maker_capabilities: null,
  is_session_bound: Number(client.isSessionBound ?? false),
  created: client.created,
  is_bootstrap: 0,
  last_used: null,
});

export const rowToClient = (row: OauthClientRow): Client => ({
  tenant: row.tenant,
  id: row.id,
  name: row.name,
  scopes: scopesOf(row),
  identityId: row.identity_id,
  created: row.created,
  isBootstrap: row.is_bootstrap === 1,
  isSessionBound: row.is_session_bound === 1,
  lastUsed: row.last_used,
});
