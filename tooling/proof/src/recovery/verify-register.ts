import { dirname } from 'node:path';
import { createClient } from '@access-admin/client';
import { SCOPES } from '@access-admin/domain';
import { openService } from '@access-admin/harness';
import { awaitRegister, compareWithScan } from '../register/audit.ts';
import { openSqlite } from '../service/open-database.ts';

/** The failures of the register that a service keeps of a tenant of a migrated file, in which something is violated. */
export async function verifyRegister(path: string, tenant: string, signal: AbortSignal): Promise<readonly string[]> {
  await using sql = await openSqlite(path);
  // Those that the store was filled with are no keys; the service makes its first client where there is none.
  await sql.run('delete from signing_key');
  await sql.run('delete from oauth_client');
  await using service = openService({ databaseUrl: `sqlite:${path}` });
  const { baseAddress, client: root } = await service.startApi();
  service.startWorker();
  const { id: clientId, secret: clientSecret } = await root.oauthClients.create({
    name: 'proof',
    tenant,
    scopes: SCOPES,
  });
  const client = createClient({ baseAddress, clientId, clientSecret });
  if (!(await awaitRegister(client, signal))) return [`the register of ${dirname(path)} is not filled`];
  const { open } = await client.violations.summary();
  return [...(await compareWithScan(client, signal)), ...(open > 0 ? [] : ['the register has no violation'])];
}
