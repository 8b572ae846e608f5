import { ACCESS_MODEL_EXAMPLES } from '../examples/access-model.ts';
import { AUDIT_EVENTS_EXAMPLES } from '../examples/administration/audit-events.ts';
import { ADMINISTRATION_EXAMPLES } from '../examples/administration/auth-and-ui-metadata.ts';
import { OAUTH_CLIENTS_EXAMPLES } from '../examples/administration/oauth-clients.ts';
import { SIGN_IN_EXAMPLES } from '../examples/administration/sign-in.ts';
import { WEBHOOKS_EXAMPLES } from '../examples/administration/webhooks.ts';
import type { OperationExamples } from '../examples/definition.ts';
import { EVENTS_EXAMPLES } from '../examples/events.ts';
import { LOOK_UP_EXAMPLES } from '../examples/look-ups.ts';
import { CONTROLS_EXAMPLES } from '../examples/separation-of-duties/controls.ts';
import { SOD_EXCEPTIONS_EXAMPLES } from '../examples/separation-of-duties/sod-exceptions.ts';
import { SOD_POLICIES_EXAMPLES } from '../examples/separation-of-duties/sod-policies.ts';
import { SOD_REPORTS_EXAMPLES } from '../examples/separation-of-duties/sod-reports.ts';
import { SOD_VIOLATIONS_EXAMPLES } from '../examples/separation-of-duties/sod-violations.ts';
import { VIOLATIONS_EXAMPLES } from '../examples/separation-of-duties/violations.ts';

/** The example of every operation. A test sends the requests to a real server and compares its answers. */
export const EXAMPLES: OperationExamples = {
  ...ADMINISTRATION_EXAMPLES,
  ...SIGN_IN_EXAMPLES,
  ...OAUTH_CLIENTS_EXAMPLES,
  ...SOD_VIOLATIONS_EXAMPLES,
  ...SOD_REPORTS_EXAMPLES,
  ...VIOLATIONS_EXAMPLES,
  ...SOD_EXCEPTIONS_EXAMPLES,
  ...CONTROLS_EXAMPLES,
  ...SOD_POLICIES_EXAMPLES,
  ...ACCESS_MODEL_EXAMPLES,
  ...LOOK_UP_EXAMPLES,
  ...AUDIT_EVENTS_EXAMPLES,
  ...EVENTS_EXAMPLES,
  ...WEBHOOKS_EXAMPLES,
};
