import { textOf } from '../search-parts.ts';

/** The auth profile that is edited and the sign-in that is tried, as an address says them. */
export interface AuthProfileSearch {
  /** The id of an auth profile. */
  readonly profile?: string;
  /** The id of a person. */
  readonly person?: string;
  /** The address from which the person would sign in. */
  readonly ip?: string;
  /** The country from which the person would sign in, as two capital letters. */
  readonly country?: string;
}

/** The search of an address; parts that are not understood are left out. */
export const parseAuthProfileSearch = (given: Readonly<Record<string, unknown>>): AuthProfileSearch => ({
  ...textOf('profile', given['profile']),
  ...textOf('person', given['person']),
  ...textOf('ip', given['ip']),
  ...textOf('country', given['country']),
});

/** The webhook that is shown, as an address says it. */
export interface WebhookSearch {
  /** The id of a webhook. */
  readonly webhook?: string;
}

/** The search of an address; parts that are not understood are left out. */
export const parseWebhookSearch = (given: Readonly<Record<string, unknown>>): WebhookSearch =>
  textOf('webhook', given['webhook']);
