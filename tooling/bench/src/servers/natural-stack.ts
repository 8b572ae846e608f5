import { join } from 'node:path';
import { freePort, ROOT, startProcess } from '@access-admin/harness';
import Sqlite from 'better-sqlite3';
import { identityId, type World } from '../world/create-world.ts';
import type { ServedWorld } from './served-world.ts';
import type { StartedServer } from './started-server.ts';

/** Starts the natural stack on the same identities. It accepts the tokens of the API and always sends the given answer. */
export async function startNaturalStack(
  { service, api }: ServedWorld,
  { held }: World,
  answer: string,
): Promise<StartedServer> {
  const database = join(service.folder, 'natural-stack.db');
  writeRows(database, { clientId: service.credentials.clientId, held });
  const jwks = await (await fetch(`${api.baseAddress}/.well-known/jwks.json`)).json();
  const port = await freePort();
  const settings = JSON.stringify({ port, database, jwks, issuer: api.baseAddress, answer });
  const program = join(ROOT, 'tooling/bench/peers/natural-stack.mjs');
  const outputPath = join(service.folder, 'natural-stack.log');
  return {
    port,
    running: startProcess([process.execPath, program, settings], { env: {}, cwd: service.folder, outputPath }),
  };
}

function writeRows(
  path: string,
  { clientId, held }: { readonly clientId: string; readonly held: World['held'] },
): void {
  const database = new Sqlite(path);
  database.exec(`
    create table client (id text primary key, identity_id text);
    create table capability (identity_id text, name text, primary key (identity_id, name));
    create table assignment (identity_id text, type text, access_id text, primary key (identity_id, type, access_id)) without rowid;
  `);
  database.prepare('insert into client values (?, null)').run(clientId);
  const insert = database.prepare('insert into assignment values (?, ?, ?)');
  database.transaction(() => {
    for (const [number, refs] of held.entries())
      for (const { type, id } of refs) insert.run(identityId(number), type, id);
  })();
  database.close();
}
