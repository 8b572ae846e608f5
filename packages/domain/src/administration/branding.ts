/** How the pages of a tenant present it; null for what is not set. */
export interface Branding {
  /** In place of the name of this product. */
  readonly title: string | null;
  /** A `data:` URL of a PNG, exactly as it was set. */
  readonly logo: string | null;
  /** What people are told beside the form of sign-in. Plain text. */
  readonly helpText: string | null;
}

/** An update of branding: null resets a property, and one left out does not change. */
export type BrandingUpdate = Partial<Branding>;

/** Branding in which nothing is set. */
export const UNSET_BRANDING: Branding = { title: null, logo: null, helpText: null };
