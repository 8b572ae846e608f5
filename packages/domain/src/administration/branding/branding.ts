import type { Failure } from '../../basics/result/failure.ts';
import type { Issue } from '../../basics/result/issue.ts';
import type { Result } from '../../basics/result/result.ts';
import { plainText, type TextsUpdate, updateTexts } from '../text-settings.ts';
import { logoIssue } from './logo.ts';

/** How the pages of a tenant present it; null for what is not set. */
export interface Branding {
  /** In place of the name of this product. */
  readonly title: string | null;
  /** A `data:` URL of a PNG, exactly as it was set. */
  readonly logo: string | null;
  /** What people are told beside the form of sign-in. Plain text. */
  readonly helpText: string | null;
}

/** An update of branding. */
export type BrandingUpdate = TextsUpdate<Branding>;

/** Branding in which nothing is set. */
export const UNSET_BRANDING: Branding = { title: null, logo: null, helpText: null };

/** The longest texts, in characters. */
export const BRANDING_LENGTH_MAX = { title: 100, helpText: 500 } as const;

/** Applies an update. Fails with all invalid properties: `LengthOutOfRange` or `IllegalValue`. */
export const updateBranding = (current: Branding, update: BrandingUpdate): Result<Branding, Failure> =>
  updateTexts(current, update, {
    title: plainText(BRANDING_LENGTH_MAX.title),
    logo: logoIssues,
    helpText: plainText(BRANDING_LENGTH_MAX.helpText),
  });

function logoIssues(url: string, at: string): readonly Issue[] {
  const issue = logoIssue(url);
  return issue === null ? [] : [{ ...issue, at }];
}
