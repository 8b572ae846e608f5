import { ACCESS_TYPES, LINT_CODES, LINT_SEVERITIES } from '@access-admin/domain';
import * as v from 'valibot';

/** Answer of lint. */
export const policyFindings = v.array(
  v.object({
    code: v.picklist(LINT_CODES),
    severity: v.picklist(LINT_SEVERITIES),
    policyId: v.string(),
    ref: v.nullable(v.object({ type: v.picklist(ACCESS_TYPES), id: v.string() })),
    related: v.array(v.object({ type: v.literal('SOD_POLICY'), id: v.string(), name: v.string() })),
    text: v.string(),
  }),
);
