import {
  BEARER_TOKEN_DAYS,
  BEARER_TOKENS_MAX,
  CAPABILITIES_MAX,
  CLIENT_SECRET_OVERLAP_HOURS,
  DRY_RUN_SAMPLE_MAX,
  SIGN_IN_LINK_HOURS,
} from '@access-admin/domain';
import {
  BRANDING_HELP_LENGTH_MAX,
  BRANDING_TITLE_LENGTH_MAX,
  EMBEDDING_ORIGINS_BYTES_MAX,
  EMBEDDING_ORIGINS_MAX,
  LOGO_BYTES_MAX,
  LOGO_PIXELS_MAX,
  NETWORK_COUNTRIES_MAX,
  NETWORK_RANGES_MAX,
  UI_TEXT_LENGTH_MAX,
} from '../limits.ts';
import { BAD_LENGTH, bytes, characters, FIRST_SHOWN, ILLEGAL, limit, TOO_MANY } from './limit-row.ts';

/** The limits of auth users, of UI metadata, of the branding and of the settings of sign-in. */
export const ADMINISTRATION_LIMITS = {
  capabilities: limit('Capabilities of an auth user', CAPABILITIES_MAX, TOO_MANY),
  origins: limit('Origins of `iFrameWhitelist`', EMBEDDING_ORIGINS_MAX, TOO_MANY),
  originsLength: limit('`iFrameWhitelist`', characters(EMBEDDING_ORIGINS_BYTES_MAX), BAD_LENGTH),
  uiText: limit('`usernameLabel`, `usernameEmptyText`', `1 to ${characters(UI_TEXT_LENGTH_MAX)}`, BAD_LENGTH),
  brandingTitle: limit('`title` of the branding', `1 to ${characters(BRANDING_TITLE_LENGTH_MAX)}`, BAD_LENGTH),
  brandingHelpText: limit('`helpText` of the branding', `1 to ${characters(BRANDING_HELP_LENGTH_MAX)}`, BAD_LENGTH),
  logo: limit('Picture of `logo` of the branding', bytes(LOGO_BYTES_MAX), BAD_LENGTH),
  logoPixels: limit('Width and height of `logo`', `${LOGO_PIXELS_MAX} pixels`, BAD_LENGTH),
  networkRanges: limit('Ranges of the network config', NETWORK_RANGES_MAX, TOO_MANY),
  networkCountries: limit('Countries of the network config', NETWORK_COUNTRIES_MAX, TOO_MANY),
  signInLinkHours: limit(
    '`hours` of a sign-in link',
    `${SIGN_IN_LINK_HOURS.min} to ${SIGN_IN_LINK_HOURS.max}`,
    ILLEGAL,
  ),
  secretOverlapHours: limit(
    '`overlapHours` of a rotation of the secret of a client',
    `${CLIENT_SECRET_OVERLAP_HOURS.min} to ${CLIENT_SECRET_OVERLAP_HOURS.max}`,
    ILLEGAL,
  ),
  bearerTokenDays: limit(
    '`expiresDays` of a static token of a client',
    `${BEARER_TOKEN_DAYS.min} to ${BEARER_TOKEN_DAYS.max}`,
    ILLEGAL,
  ),
  bearerTokens: limit('Valid static tokens of a client for one source', BEARER_TOKENS_MAX, '409 `409.1`'),
  signInSample: limit('Identities in the sample of a dry-run of sign-ins', DRY_RUN_SAMPLE_MAX, FIRST_SHOWN),
};
