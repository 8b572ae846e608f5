/** What the user interface of a tenant shows; null for a property that is not set. */
export interface UiMetadata {
  /** Origins that may embed the UI in an iframe, separated by single spaces, exactly as they were set. */
  readonly iFrameWhitelist: string | null;
  readonly usernameLabel: string | null;
  /** Placeholder of the username field on the login screen. */
  readonly usernameEmptyText: string | null;
}

/** An update of UI metadata: null resets a property, and one left out does not change. */
export type UiMetadataUpdate = Partial<UiMetadata>;

/** UI metadata in which nothing is set. */
export const UNSET_UI_METADATA: UiMetadata = { iFrameWhitelist: null, usernameLabel: null, usernameEmptyText: null };
