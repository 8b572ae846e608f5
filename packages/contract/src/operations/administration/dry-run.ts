import { authProfile } from '../../schemas/administration/auth-profiles.ts';
import { signInDryRun } from '../../schemas/administration/sign-in-decision.ts';
import { networkConfig } from '../../schemas/administration/sign-in-settings.ts';
import { eitherResponse } from '../../validation/response-schema.ts';
import { jsonResponse, type QueryParameter } from '../definition.ts';

/** The query of a change that can be tried without being made. */
export const DRY_RUN_QUERY: readonly QueryParameter[] = [
  {
    name: 'dryRun',
    description: 'With `true` nothing changes, and the answer says what the change would do to sign-ins.',
    values: ['true', 'false'],
  },
  {
    name: 'ip',
    description: 'The address from which the sign-ins of a dry-run come; that of the caller if left out.',
  },
  {
    name: 'country',
    description:
      'The country from which the sign-ins of a dry-run come, as two capital letters; if left out, that of `ip` where the service knows it, otherwise that of the caller.',
  },
];

/** An auth profile, or the dry-run of a change of it. */
export const AUTH_PROFILE_OR_DRY_RUN = jsonResponse(eitherResponse(authProfile, signInDryRun));

/** The network config, or the dry-run of a change of it. */
export const NETWORK_CONFIG_OR_DRY_RUN = jsonResponse(eitherResponse(networkConfig, signInDryRun));
