import { measureStackShares } from '../http/stack-shares.ts';
import type { SuiteResult } from '../measure/report.ts';

/** The cost of a whole predict over HTTP, in each shape of request, beside a bare Hono application. */
export const run = async (): Promise<SuiteResult> => ({ name: 'http', ...(await measureStackShares()) });
