import type { Failure } from '../basics/result/failure.ts';
import { type Issue, issuesOf } from '../basics/result/issue.ts';
import type { Result } from '../basics/result/result.ts';
import { parseEmbeddingOrigins } from './embedding-origins.ts';
import { plainText, type TextsUpdate, updateTexts } from './text-settings.ts';

/** What the user interface of a tenant shows; null for a property that is not set. */
export interface UiMetadata {
  /** Origins that may embed the UI in an iframe, separated by single spaces, exactly as they were set. */
  readonly iFrameWhitelist: string | null;
  readonly usernameLabel: string | null;
  /** Placeholder of the username field on the login screen. */
  readonly usernameEmptyText: string | null;
}

/** An update of UI metadata. */
export type UiMetadataUpdate = TextsUpdate<UiMetadata>;

/** UI metadata in which nothing is set. */
export const UNSET_UI_METADATA: UiMetadata = { iFrameWhitelist: null, usernameLabel: null, usernameEmptyText: null };

/** The longest label or placeholder, in characters. */
export const UI_TEXT_LENGTH_MAX = 200;

const label = plainText(UI_TEXT_LENGTH_MAX);

/** Applies an update. Fails with all invalid properties: `LengthOutOfRange`, `IllegalValue` or `LimitExceeded`. */
export const updateUiMetadata = (current: UiMetadata, update: UiMetadataUpdate): Result<UiMetadata, Failure> =>
  updateTexts(current, update, { iFrameWhitelist: whitelistIssues, usernameLabel: label, usernameEmptyText: label });

function whitelistIssues(text: string): readonly Issue[] {
  const origins = parseEmbeddingOrigins(text);
  return origins.ok ? [] : issuesOf(origins.failure);
}
