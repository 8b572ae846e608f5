import type { AccessModelInput } from '@access-admin/client';
import { type CampaignRun, type Outcome, summed } from '../campaign/campaign.ts';
import { findCorruption, openSql, type Sql } from '../service/open-database.ts';
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
  /** Options of the customers' clients. */
  readonly client?: Parameters<Fleet['connect']>[0];
  /** Whether timestamps in the database are meaningless because clocks jumped. */
  readonly clocksJump?: boolean;
  /** Whether the attack may leave a database that cannot be audited: then this is a finding. */
  readonly mayDestroy?: boolean;
  readonly attack: (customers: Customers) => Promise<void>;
  readonly tamper?: Tamper | undefined;
}

/** Sets customers to work, attacks the service, stops the customers and audits all answers they received. */
export async function attackUnderLoad(
  { seed, signal }: CampaignRun,
  fleet: Fleet,
  { records = [], client, attack, tamper, clocksJump = false, mayDestroy = false, ...plan }: AttackPlan,
): Promise<Outcome & { readonly customers: Customers }> {
  const clients = fleet.connect();
  await fleet.root.accessModel.import([...COMPANY, ...records, ...customerRecords(plan.customers)]);
  const own = Array.from({ length: plan.customers }, () => fleet.connect(client))
    .flat()
    .slice(0, plan.customers);
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
    broken: [...seen.broken, ...(await checkFile(fleet, sql)), ...fleet.crashes()],
  };
}

/** Findings of SQLite's own checks of the file. */
async function checkFile({ database }: Fleet, sql: Sql): Promise<readonly string[]> {
  if (database.path === null) return [];
  return summed('failures of the file', await findCorruption(sql).catch((error: unknown) => [String(error)]));
}
