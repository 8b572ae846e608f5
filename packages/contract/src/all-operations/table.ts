import { ACCESS_MODEL_OPERATIONS } from '../operations/access-model.ts';
import { AUDIT_EVENT_OPERATIONS } from '../operations/audit-events.ts';
import { AUTH_PROFILE_OPERATIONS } from '../operations/auth-profiles.ts';
import { AUTH_USER_OPERATIONS } from '../operations/auth-users.ts';
import { CONTROL_OPERATIONS } from '../operations/controls.ts';
import type { Operation } from '../operations/definition.ts';
import { EVENT_OPERATIONS } from '../operations/events.ts';
import { OAUTH_CLIENT_OPERATIONS } from '../operations/oauth-clients.ts';
import { SOD_EXCEPTION_OPERATIONS } from '../operations/sod-exceptions.ts';
import { SOD_POLICY_OPERATIONS } from '../operations/sod-policies.ts';
import { SOD_REPORT_OPERATIONS } from '../operations/sod-reports.ts';
import { SOD_VIOLATION_OPERATIONS } from '../operations/sod-violations.ts';
import { UI_METADATA_OPERATIONS } from '../operations/ui-metadata.ts';
import { VIOLATION_OPERATIONS } from '../operations/violations.ts';
import { WEBHOOK_OPERATIONS } from '../operations/webhooks.ts';

/** Every operation that needs a token. The API mounts them; the client and the OpenAPI document follow them. */
export const OPERATIONS: readonly Operation[] = [
  ...AUTH_USER_OPERATIONS,
  ...AUTH_PROFILE_OPERATIONS,
  ...SOD_VIOLATION_OPERATIONS,
  ...SOD_REPORT_OPERATIONS,
  ...VIOLATION_OPERATIONS,
  ...SOD_POLICY_OPERATIONS,
  ...SOD_EXCEPTION_OPERATIONS,
  ...CONTROL_OPERATIONS,
  ...UI_METADATA_OPERATIONS,
  ...OAUTH_CLIENT_OPERATIONS,
  ...ACCESS_MODEL_OPERATIONS,
  ...AUDIT_EVENT_OPERATIONS,
  ...EVENT_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
];
