import { queryOptions } from '@tanstack/react-query';

/** Whose console this is. */
export interface Brand {
  readonly title: string;
  /** An address of its picture; null without one. */
  readonly logo: string | null;
}

const PRODUCT = 'Access Admin';

/** The brand that the service has written into the document. */
function readBrand(): Brand {
  const meta = document.querySelector<HTMLMetaElement>('meta[name=brand]');
  return { title: meta?.content ?? PRODUCT, logo: meta?.dataset['logo'] ?? null };
}

/** The brand, from the first moment on; a change of it in this window is written here. */
export const brandQuery = queryOptions({
  queryKey: ['brand'],
  queryFn: readBrand,
  initialData: readBrand,
  staleTime: Number.POSITIVE_INFINITY,
});

/** The brand of a branding that was set. */
export const brandOf = ({ title, logo }: { readonly title: string | null; readonly logo: string | null }): Brand => ({
  title: title ?? PRODUCT,
  logo,
});
