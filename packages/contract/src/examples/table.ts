import { ACCESS_MODEL_EXAMPLES } from './access-model.ts';
import { ADMINISTRATION_EXAMPLES } from './administration.ts';
import { AUDIT_EVENTS_EXAMPLES } from './audit-events.ts';
import { CONTROLS_EXAMPLES } from './controls.ts';
import type { OperationExamples } from './definition.ts';
import { EVENTS_EXAMPLES } from './events.ts';
import { OAUTH_CLIENTS_EXAMPLES } from './oauth-clients.ts';
import { SOD_EXCEPTIONS_EXAMPLES } from './sod-exceptions.ts';
import { SOD_POLICIES_EXAMPLES } from './sod-policies.ts';
import { SOD_REPORTS_EXAMPLES } from './sod-reports.ts';
import { SOD_VIOLATIONS_EXAMPLES } from './sod-violations.ts';
import { VIOLATIONS_EXAMPLES } from './violations.ts';
import { WEBHOOKS_EXAMPLES } from './webhooks.ts';

/** The example of every operation. A test sends the requests to a real server and compares its answers. */
export const EXAMPLES: OperationExamples = {
  ...ADMINISTRATION_EXAMPLES,
  ...OAUTH_CLIENTS_EXAMPLES,
  ...SOD_VIOLATIONS_EXAMPLES,
  ...SOD_REPORTS_EXAMPLES,
  ...VIOLATIONS_EXAMPLES,
  ...SOD_EXCEPTIONS_EXAMPLES,
  ...CONTROLS_EXAMPLES,
  ...SOD_POLICIES_EXAMPLES,
  ...ACCESS_MODEL_EXAMPLES,
  ...AUDIT_EVENTS_EXAMPLES,
  ...EVENTS_EXAMPLES,
  ...WEBHOOKS_EXAMPLES,
};
