import type { Branding } from '@access-admin/domain';
import * as v from 'valibot';
import { BRANDING_HELP_LENGTH_MAX, BRANDING_TITLE_LENGTH_MAX, LOGO_BYTES_MAX, LOGO_PIXELS_MAX } from '../limits.ts';
import { closedObject, plainText, resettable, rule, shownText, textOf } from '../validation/fields.ts';
import { LOGO_LENGTH_MAX, LOGO_PREFIX, logoIssues } from '../validation/logo.ts';
import { requestSchema, responseSchema } from '../validation/named-schema.ts';
import { resourcePatch } from '../validation/patch.ts';
import { failsWith, illegal } from '../validation/validate.ts';

const logoText = (url: unknown) => logoIssues(String(url))[0]?.text ?? '';

const text = (lengthMax: number, description: string) =>
  resettable(v.pipe(textOf(lengthMax), plainText, v.metadata({ description })));

/** The properties of an update of the branding. */
export const brandingEntries = {
  title: text(BRANDING_TITLE_LENGTH_MAX, 'Shown in place of the name of this product.'),
  logo: resettable(
    v.pipe(
      v.string(),
      v.nonEmpty(failsWith('LengthOutOfRange', 'must not be empty: null resets it')),
      v.startsWith(LOGO_PREFIX, illegal(logoText)),
      v.maxLength(LOGO_LENGTH_MAX, failsWith('LengthOutOfRange', logoText)),
      rule(logoIssues),
      v.metadata({
        description: `A data: URL of a PNG of at most ${LOGO_BYTES_MAX} bytes, and of at most ${LOGO_PIXELS_MAX} pixels in each direction.`,
      }),
    ),
  ),
  helpText: text(BRANDING_HELP_LENGTH_MAX, 'Plain text beside the form of sign-in.'),
};

/** Request of the update of the branding. */
export const tenantBrandingUpdate = requestSchema('TenantBrandingUpdate', closedObject(brandingEntries));

const shown = closedObject({ title: shownText, logo: shownText, helpText: shownText });

/** Changes of the branding by an update. */
export const brandingPatch = resourcePatch(shown, { title: 'nullable', logo: 'nullable', helpText: 'nullable' });

/** The branding, with null for what is not set. */
export const tenantBranding = responseSchema<Branding>('TenantBranding')(shown);
