import { strictEqual } from 'node:assert/strict';
import type { RunningApi } from '@access-admin/harness';

type Client = RunningApi['client'];

export interface Made {
  readonly seconds: number;
  readonly violations: number;
}

/** Waits for a report; its time runs from its acceptance to its completion. */
async function finish(client: Client, reportId: string): Promise<Made> {
  const { state, created, completed, summary } = await client.sodReports.waitFor(reportId, { timeoutMs: 3_600_000 });
  strictEqual(state, 'SUCCESS');
  const { new: added = 0, same = 0, gone = 0 } = summary ?? {};
  return { seconds: (Date.parse(completed) - Date.parse(created)) / 1000, violations: added + same + gone };
}

export const makeScan = async (client: Client) => finish(client, (await client.sodReports.scan()).reportId);

/** Dry-runs a change of the level of one policy, another one in each round. */
export async function makeDryRun(client: Client, round: number): Promise<Made> {
  const { items } = await client.sodPolicies.page({ limit: 1, offset: round });
  const change = items.map(({ created: _, modified: __, ...policy }) => ({ ...policy, level: 'LOW' as const }));
  const { reportId } = await client.sodReports.dryRun({ change: change as never });
  return finish(client, reportId);
}
