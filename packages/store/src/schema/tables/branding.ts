import { defineTable } from '../definition/define-table.ts';

/** Apart from the tenant's own row, which is written often, because a logo is large. */
export const branding = defineTable({
  name: 'branding',
  columns: {
    tenant: 'text',
    title: 'text?',
    /** A `data:` URL. */
    logo: 'text?',
    /** A SHA-256 of the logo, by which pages address it; null without one. */
    logo_digest: 'text?',
    help_text: 'text?',
  },
  key: 'tenant',
});
