import { useSpeech } from '../languages/context.tsx';
import type { ViolationCount } from '../service/queries.ts';

/** A number of violations in words. The service counts a long list up to a bound only: then it says so. */
export function Count({ counted: { count, isExact } }: { readonly counted: ViolationCount }) {
  return useSpeech().text(isExact ? 'violations.count' : 'violations.count.at-least', { count });
}
