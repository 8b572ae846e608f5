import { ACCESS_MODEL_OPERATIONS } from '../operations/access-model.ts';
import { AUDIT_EVENT_OPERATIONS } from '../operations/administration/audit-events.ts';
import { AUTH_ORG_OPERATIONS } from '../operations/administration/auth-org.ts';
import { AUTH_PROFILE_OPERATIONS } from '../operations/administration/auth-profiles.ts';
import { OAUTH_CLIENT_OPERATIONS } from '../operations/administration/oauth-clients.ts';
import { SESSION_OPERATIONS } from '../operations/administration/sessions.ts';
import { SIGN_IN_OPERATIONS } from '../operations/administration/sign-in.ts';
import { UI_METADATA_OPERATIONS } from '../operations/administration/ui-metadata.ts';
import { WEBHOOK_OPERATIONS } from '../operations/administration/webhooks.ts';
import type { Operation as Defined } from '../operations/define-operation.ts';
import type { Operation } from '../operations/definition.ts';
import { EVENT_OPERATIONS } from '../operations/events.ts';
import { LOOK_UP_OPERATIONS } from '../operations/look-ups.ts';
import { CONTROL_OPERATIONS } from '../operations/separation-of-duties/controls.ts';
import { SOD_EXCEPTION_OPERATIONS } from '../operations/separation-of-duties/sod-exceptions.ts';
import { SOD_POLICY_OPERATIONS } from '../operations/separation-of-duties/sod-policies.ts';
import { SOD_REPORT_OPERATIONS } from '../operations/separation-of-duties/sod-reports.ts';
import { SOD_VIOLATION_OPERATIONS } from '../operations/separation-of-duties/sod-violations.ts';
import { VIOLATION_OPERATIONS } from '../operations/separation-of-duties/violations.ts';
import { DEFINED } from '../operations/table.ts';

/** Every operation that needs a token. The API mounts them; the client and the OpenAPI document follow them. */
export const OPERATIONS: readonly Operation[] = [
  ...DEFINED.map(asBefore),
  ...AUTH_PROFILE_OPERATIONS,
  ...AUTH_ORG_OPERATIONS,
  ...SIGN_IN_OPERATIONS,
  ...SESSION_OPERATIONS,
  ...SOD_VIOLATION_OPERATIONS,
  ...SOD_REPORT_OPERATIONS,
  ...VIOLATION_OPERATIONS,
  ...SOD_POLICY_OPERATIONS,
  ...SOD_EXCEPTION_OPERATIONS,
  ...CONTROL_OPERATIONS,
  ...UI_METADATA_OPERATIONS,
  ...OAUTH_CLIENT_OPERATIONS,
  ...ACCESS_MODEL_OPERATIONS,
  ...LOOK_UP_OPERATIONS,
  ...AUDIT_EVENT_OPERATIONS,
  ...EVENT_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
];

/** An operation in the shape that those have which are not moved to `defineOperation` yet. */
function asBefore({ query: _, errors, ...operation }: Defined<Operation['id']>): Operation {
  return { ...operation, errorStatuses: errors };
}
