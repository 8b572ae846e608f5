import { describe } from 'vitest';
import { ENGINE } from './store-engine.ts';
import { describeAudit } from './suite/audit-suite.ts';
import { describeErasures } from './suite/erasure-suite.ts';
import { describeEvents } from './suite/event-suite.ts';
import { describeMoments } from './suite/moment-suite.ts';
import { describeRegister } from './suite/register-suite.ts';
import { describeTold } from './suite/told-suite.ts';
import { describeViolations } from './suite/violation-suite.ts';
import { describeWebhooks } from './suite/webhook-suite.ts';

describe(`the store on ${ENGINE.name}: violations, events and the audit log`, () => {
  describeAudit(ENGINE);
  describeErasures(ENGINE);
  describeRegister(ENGINE);
  describeMoments(ENGINE);
  describeViolations(ENGINE);
  describeEvents(ENGINE);
  describeTold(ENGINE);
  describeWebhooks(ENGINE);
});
