import { describe } from 'vitest';
import { ENGINE } from './store-engine.ts';
import { describeClients } from './suite/client-suite.ts';
import { describeClosing } from './suite/closing-suite.ts';
import { describeCredentials } from './suite/credential-suite.ts';
import { describeExpiry } from './suite/expiry-suite.ts';
import { describeGuards } from './suite/guard-suite.ts';
import { describeManagement } from './suite/manage-suite.ts';
import { describeSessions } from './suite/session-suite.ts';
import {
  describeAuthProfiles,
  describeAuthUsers,
  describeBranding,
  describeSignInSettings,
  describeUiMetadata,
} from './suite/settings-suite.ts';

describe(`the store on ${ENGINE.name}: clients, administration and settings`, () => {
  describeClients(ENGINE);
  describeAuthUsers(ENGINE);
  describeBranding(ENGINE);
  describeAuthProfiles(ENGINE);
  describeUiMetadata(ENGINE);
  describeSignInSettings(ENGINE);
  describeCredentials(ENGINE);
  describeGuards(ENGINE);
  describeManagement(ENGINE);
  describeSessions(ENGINE);
  describeExpiry(ENGINE);
  describeClosing(ENGINE);
});
