import { setTimeout as delay } from 'node:timers/promises';
import { openRowReader } from '@access-admin/harness';
import { openStore } from '@access-admin/store';
import { onCpuMsOf } from '../measure/process-usage.ts';

const TENANTS = 10_000;
const WINDOW_MS = 1_000;
const WINDOWS = 25;
/** Plans are made, and connections opened. */
const FIRST_MS = 5_000;
/** As the service polls. */
const POLLS = WINDOW_MS / 250;

/** Milliseconds of CPU of a poll for changed tenants, of the process and of the backends of all servers, and their sum. */
export type PollCost = Readonly<Record<'pollMs' | 'pollProcessMs' | 'pollDatabaseMs', number>>;

/** The version rows of many tenants, as writes of several lines make them. */
const fillOf = (tenants: readonly string[]) => `
  insert into tenant_change (tenant, line, version, write_id)
  select tenant, line, case line when '' then 5 when 'signIn' then 1 else 0 end, ''
  from (values ${tenants.map((tenant) => `('${tenant}')`).join(', ')}) as given (tenant),
    unnest(array['', 'signIn', 'register', 'events']) as line`;

const BACKENDS = `select coalesce(string_agg(pid::text, ' '), '') from pg_stat_activity
  where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`;

/** Fills the versions of a database that nothing else uses, and measures a process that only polls, by window. All servers are of this machine. */
export async function measurePolls(url: string, nodes: 'all' | 'own'): Promise<readonly PollCost[]> {
  await using reader = await openRowReader(url);
  const tenants = Array.from({ length: TENANTS }, (_, number) => `polled-${number}`);
  await reader.read(fillOf(tenants));
  const measured = async () => {
    const process = globalThis.process.cpuUsage();
    await delay(WINDOW_MS);
    const used = globalThis.process.cpuUsage(process);
    return (used.user + used.system) / 1_000;
  };
  const idleMs = await measured();
  await using store = await openStore(url);
  await delay(FIRST_MS);
  // Tenants are polled while they are in memory.
  await Promise.all(tenants.map((tenant) => store.clients.findCaller(tenant, 'none')));
  const found = await reader.read<{ readonly pids: string }>(
    nodes === 'own'
      ? `select (${BACKENDS}) as pids`
      : `select result as pids from run_command_on_all_nodes($$${BACKENDS}$$)`,
  );
  const backends = found.flatMap(({ pids }) => pids.match(/\d+/g) ?? []).map(Number);
  const databaseMs = () => backends.reduce((sum, pid) => sum + onCpuMsOf(pid), 0);
  const costs: PollCost[] = [];
  for (let window = 0; window < WINDOWS; window++) {
    const before = databaseMs();
    const pollProcessMs = ((await measured()) - idleMs) / POLLS;
    const pollDatabaseMs = (databaseMs() - before) / POLLS;
    costs.push({ pollMs: pollProcessMs + pollDatabaseMs, pollProcessMs, pollDatabaseMs });
  }
  return costs;
}
