import { ACCESS_TYPES, LINT_CODES, LINT_SEVERITIES, type PolicyFinding } from '@access-admin/domain';
import * as v from 'valibot';
import { closedObject } from '../validation/fields.ts';
import { responseSchema } from '../validation/response-schema.ts';

/** A finding of lint, as its response and that of an import have it. */
export const finding = closedObject({
  code: v.picklist(LINT_CODES),
  severity: v.picklist(LINT_SEVERITIES),
  policyId: v.string(),
  ref: v.nullable(closedObject({ type: v.picklist(ACCESS_TYPES), id: v.string() })),
  related: v.array(closedObject({ type: v.literal('SOD_POLICY'), id: v.string(), name: v.string() })),
  text: v.string(),
});

/** Response of lint. */
export const policyFindings = responseSchema<readonly PolicyFinding[]>()(v.array(finding));
