import { measureLargeRulebook } from '../http/large-rulebook.ts';
import { measureStackShares } from '../http/stack-shares.ts';
import type { SuiteResult } from '../measure/report.ts';

/** What a whole predict costs over HTTP, beside other servers, with more policies, and beside the heaviest requests. */
export async function run(): Promise<SuiteResult> {
  const parts = [await measureStackShares(), await measureLargeRulebook()];
  return {
    name: 'http',
    tables: parts.flatMap(({ tables }) => tables),
    figures: parts.flatMap(({ figures }) => figures),
    raw: Object.assign({}, ...parts.map(({ raw }) => raw)),
  };
}
