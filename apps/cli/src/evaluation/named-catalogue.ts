import type { Catalogue } from '@access-admin/domain';

/** A catalogue of entitlements whose names are their ids, for files without a model. */
export const namedCatalogue = (ids: Iterable<string>): Catalogue => ({
  entitlements: [...new Set(ids)].sort().map((id) => ({ id, name: id, source: null })),
  accessProfiles: [],
  roles: [],
});
