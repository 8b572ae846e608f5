import type { SodPolicyState } from '@access-admin/client';
import { usePageTexts } from '../languages/context.tsx';
import badge from '../ui/badge.module.css';
import { TERM_TEXTS } from './term-texts.ts';

/** Whether a policy is enforced. */
export function StateBadge({ state }: { readonly state: SodPolicyState }) {
  const pageText = usePageTexts(TERM_TEXTS);
  return <span className={`${badge['badge']} ${badge['plain']}`}>{pageText(state)}</span>;
}
