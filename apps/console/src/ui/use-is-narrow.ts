import { useSyncExternalStore } from 'react';

/** The picture of the ways does not fit on narrower screens: there is the text alone. */
const NARROW = '(max-width: 47.99rem)';

/** Whether the screen is narrow now. */
export const useIsNarrow = (): boolean => useSyncExternalStore(follow, () => matchMedia(NARROW).matches);

function follow(onChange: () => void): () => void {
  const media = matchMedia(NARROW);
  media.addEventListener('change', onChange);
  return () => media.removeEventListener('change', onChange);
}
