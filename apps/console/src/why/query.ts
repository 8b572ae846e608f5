import type { AccessAdminClient, SodViolation } from '@access-admin/client';
import { queryOptions } from '@tanstack/react-query';
import { readNowMs } from '../service/clock.ts';
import { missingRight } from '../service/rights.ts';
import { sessionQuery } from '../service/session.ts';
import { type Explanation, explainViolation } from './explain.ts';

/** How the person of a violation holds its items, and what the policy advises. */
export const reasonQuery = (api: AccessAdminClient, violation: SodViolation) =>
  queryOptions({
    // Without the details of the violation: it is another one once its items change.
    queryKey: ['violations', 'reason', violation.id, violation.modified],
    // What was found of the same violation stays in view while it is found again.
    placeholderData: (found: Explanation | undefined, earlier) =>
      earlier?.queryKey[2] === violation.id ? found : undefined,
    queryFn: async ({ client, signal }) => {
      const mayReadAccounts = missingRight('sources', await client.ensureQueryData(sessionQuery(api))) === null;
      return explainViolation(api, violation, { nowMs: readNowMs(), mayReadAccounts, signal });
    },
  });
