import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { baseline } from './0001-baseline.ts';
import { retiredSigningKeys } from './0002-retired-signing-keys.ts';
import { eventsMigration } from './0003-events.ts';
import {
  narrowRegister,
  registerNamesWithoutCase,
  registerRevision,
  registerStatements,
  rulebookChangeStatements,
} from './0004-register.ts';
import { webhooksMigration } from './0005-webhooks.ts';
import { controlStatements } from './0006-controls.ts';
import { signInSettings } from './0007-sign-in-settings.ts';
import { credentialStatements, signInDetails, signInTimes } from './0008-credentials.ts';
import { lookUpSteps } from './0009-look-ups.ts';
import { searchMerges } from './0010-search-merges.ts';
import type { Engine, MigrationStep } from './columns.ts';

/** Migrations by name, in order. */
export type Statements = Readonly<Record<string, readonly MigrationStep[]>>;

/** The migrations of an engine. `further` ones follow those of this version; tests of upgrades add them. */
export function migrationsOf(engine: Engine, further: Statements = {}): Readonly<Record<string, Migration>> {
  const all: Statements = {
    '0001-baseline': baseline(engine),
    '0002-retired-signing-keys': retiredSigningKeys(engine),
    '0003-events': eventsMigration(engine),
    '0004-register': registerStatements(engine),
    '0005-webhooks': webhooksMigration(engine),
    '0006-controls': controlStatements(engine),
    '0007-sign-in-settings': signInSettings(engine),
    '0008-credentials': credentialStatements(engine),
    '0009-look-ups': lookUpSteps(engine),
    '0010-search-merges': searchMerges(engine),
    '0011-sign-in-times': signInTimes,
    '0012-rulebook-changes': rulebookChangeStatements(engine),
    '0013-narrow-register': narrowRegister,
    '0014-sign-in-details': signInDetails,
    '0015-register-revision': registerRevision,
    '0016-register-names-without-case': registerNamesWithoutCase,
    ...further,
  };
  return Object.fromEntries(Object.entries(all).map(([name, steps]) => [name, toMigration(steps)]));
}

const toMigration = (steps: readonly MigrationStep[]): Migration => ({
  up: async (db) => {
    for (const step of steps) await (typeof step === 'string' ? sql.raw(step).execute(db) : step(db));
  },
});
