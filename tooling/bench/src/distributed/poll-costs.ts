import { setTimeout as delay } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { openRowReader } from '@access-admin/harness';
import { openStore } from '@access-admin/store';
import { cpuSecondsOfFamily } from '../measure/process-usage.ts';

const TENANTS = 10_000;
const WINDOW_MS = 5_000;
const WINDOWS = 5;
/** As the service polls. */
const POLLS = WINDOW_MS / 250;

/** Milliseconds of CPU of a poll for changed tenants, of the process and of all servers of the database, and their sum. */
export interface PollCost {
  readonly pollMs: number;
  readonly pollProcessMs: number;
  readonly pollDatabaseMs: number;
}

/** The version rows of many tenants, as writes of several lines make them, in the buckets in which processes look for them. */
const fillOf = (tenants: readonly string[]) => `
  insert into tenant_change (tenant, line, bucket, version, write_id)
  select tenant, line, bucket, case line when '' then 5 when 'signIn' then 1 else 0 end, ''
  from (values ${tenants.map((tenant) => `('${tenant}', ${crc32(tenant) % 64})`).join(', ')}) as given (tenant, bucket),
    unnest(array['', 'signIn', 'register', 'events']) as line`;

const SERVER = `split_part(pg_read_file('postmaster.pid'), chr(10), 1)`;

/** Fills the versions of a database that nothing else uses, and measures a process that only polls, by window. All servers are of this machine. */
export async function measurePolls(url: string, nodes: 'all' | 'own'): Promise<readonly PollCost[]> {
  await using reader = await openRowReader(url);
  await reader.read(fillOf(Array.from({ length: TENANTS }, (_, number) => `polled-${number}`)));
  const servers = await reader.read<{ readonly pid: string }>(
    nodes === 'own'
      ? `select ${SERVER} as pid`
      : `select result as pid from run_command_on_all_nodes($$select ${SERVER}$$)`,
  );
  const databaseMs = () => servers.reduce((sum, { pid }) => sum + cpuSecondsOfFamily(Number(pid)) * 1_000, 0);
  const measured = async () => {
    const process = globalThis.process.cpuUsage();
    const database = databaseMs();
    await delay(WINDOW_MS);
    const used = globalThis.process.cpuUsage(process);
    return { process: (used.user + used.system) / 1_000, database: databaseMs() - database };
  };
  const idle = await measured();
  await using _store = await openStore(url);
  await delay(WINDOW_MS);
  const costs: PollCost[] = [];
  for (let window = 0; window < WINDOWS; window++) {
    const { process, database } = await measured();
    const pollProcessMs = (process - idle.process) / POLLS;
    const pollDatabaseMs = (database - idle.database) / POLLS;
    costs.push({ pollMs: pollProcessMs + pollDatabaseMs, pollProcessMs, pollDatabaseMs });
  }
  return costs;
}
