import type { AccessAdminClient, AccessModelInput } from '@access-admin/client';
import { type CampaignRun, type Outcome, summed } from '../campaign/campaign.ts';
import { openSql, type Sql } from '../service/open-database.ts';
import type { Fleet } from '../service/open-fleet.ts';
import { audit } from './audit.ts';
import { COMPANY } from './company.ts';
import { type CustomerPlan, type Customers, customerRecords, startCustomers } from './customers.ts';

/** Changes the database or the ledger without the service; a control uses it to plant a loss. */
export type Tamper = (customers: Customers, sql: Sql) => Promise<void>;

export interface AttackPlan extends Omit<CustomerPlan, 'seed'> {
  readonly customers: number;
  /** Records that the attack needs besides those of the customers. */
  readonly records?: readonly AccessModelInput[];
  /** The client of a customer; by default one of the APIs in turn. */
  readonly connect?: (at: number) => AccessAdminClient;
  /** Whether timestamps in the database are meaningless because clocks jumped. */
  readonly clocksJump?: boolean;
  /** Whether the attack may leave a database that cannot be audited: then this is a finding. */
  readonly mayDestroy?: boolean;
  readonly attack: (customers: Customers) => Promise<void>;
  readonly tamper?: Tamper;
}

/** Sets customers to work, attacks the service, stops the customers and audits all answers they received. */
export async function attackUnderLoad(
  { seed, signal }: CampaignRun,
  fleet: Fleet,
  { records = [], connect, attack, tamper, clocksJump = false, mayDestroy = false, ...plan }: AttackPlan,
): Promise<Outcome & { readonly customers: Customers }> {
  const clients = fleet.apis.map((api) => fleet.connect(api));
  const clientAt = (at: number) => connect?.(at) ?? fleet.connect(fleet.apis[at % clients.length] ?? fleet.api);
  await fleet.root.accessModel.import([...COMPANY, ...records, ...customerRecords(plan.customers)]);
  const own = Array.from({ length: plan.customers }, (_, at) => clientAt(at));
  const customers = startCustomers(own, { ...plan, seed });
  try {
    await attack(customers);
  } finally {
    await customers.stop();
  }
  if (!mayDestroy) await fleet.becomesReady();
  await using sql = await openSql(fleet.database);
  await tamper?.(customers, sql);
  const seen = await audit(customers, { clients, sql, signal, clocksJump }).catch((error: unknown) => {
    signal.throwIfAborted();
    if (!mayDestroy) throw error;
    return {
      lost: 'unknown',
      changed: 0,
      withoutResult: 'unknown',
      rows: 0,
      takenOver: 0,
      broken: [`audit: ${error}`],
    };
  });
  const { ledger, countedWrites, registered, answered, failures } = customers;
  return {
    customers,
    counts: {
      calls: answered + failures.length,
      'failed calls': failures.length,
      'acknowledged checks': ledger.acknowledged.size,
      'acknowledged writes': countedWrites.reduce((sum, each) => sum + each.answered, registered.length),
      'checks in the database': seen.rows,
      'taken over': seen.takenOver,
      lost: seen.lost,
      'duplicate results': seen.changed,
      'without result': seen.withoutResult,
    },
    broken: [...seen.broken, ...(await fileFaults(fleet, sql)), ...fleet.crashes()],
  };
}

/** Findings of SQLite's own check of the file. */
async function fileFaults({ database }: Fleet, sql: Sql): Promise<readonly string[]> {
  if (database.path === null) return [];
  const found = await sql.run('pragma integrity_check').then(
    (rows) => rows.map((row) => String(row['integrity_check'])),
    (error: unknown) => [String(error)],
  );
  return summed(
    'failures of the file',
    found.filter((text) => text !== 'ok'),
  );
}
