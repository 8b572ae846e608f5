import { measureLargeRulebook } from '../http/large-rulebook.ts';
import type { SuiteResult } from '../measure/report.ts';

/** The effect of 100,000 policies on a predict over HTTP, and that of the heaviest requests on the others. */
export const run = async (): Promise<SuiteResult> => ({ name: 'large-rulebook', ...(await measureLargeRulebook()) });
