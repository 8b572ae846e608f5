import { BRANDING_LENGTH_MAX, type Branding, LOGO_BYTES_MAX, LOGO_PIXELS_MAX } from '@access-admin/domain';
import * as v from 'valibot';
import { closedObject } from '../validation/fields.ts';
import { requestSchema, responseSchema } from '../validation/named-schema.ts';

// The domain validates the values; their limits are stated for the OpenAPI document.
const text = (maxLength: number, description: string) =>
  v.exactOptional(v.nullable(v.pipe(v.string(), v.metadata({ minLength: 1, maxLength, description }))));

/** The properties of an update of the branding; null resets one. */
export const brandingEntries = {
  title: text(BRANDING_LENGTH_MAX.title, 'Shown in place of the name of this product.'),
  logo: v.exactOptional(
    v.nullable(
      v.pipe(
        v.string(),
        v.metadata({
          minLength: 1,
          description: `A data: URL of a PNG of at most ${LOGO_BYTES_MAX} bytes, and of at most ${LOGO_PIXELS_MAX} pixels in each direction.`,
        }),
      ),
    ),
  ),
  helpText: text(BRANDING_LENGTH_MAX.helpText, 'Plain text beside the form of sign-in.'),
};

/** Request of the update of the branding. */
export const tenantBrandingUpdate = requestSchema('TenantBrandingUpdate', closedObject(brandingEntries));

/** The branding, with null for what is not set. */
export const tenantBranding = responseSchema<Branding>('TenantBranding')(
  closedObject({
    title: v.nullable(v.string()),
    logo: v.nullable(v.string()),
    helpText: v.nullable(v.string()),
  }),
);
