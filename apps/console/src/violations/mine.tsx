import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { missingFor } from '../service/people/rights.ts';
import { sessionQuery } from '../service/session.ts';
import type { ViolationSearch } from '../service/violation-search.ts';
import { capabilityChoice } from '../ui/capability-label.ts';
import { VIOLATIONS_TEXTS } from './texts.ts';

/** The capabilities one of which reads all violations; null where the session has one, or could not be read. */
function useMissing() {
  const { data: me } = useQuery(sessionQuery(useApi()));
  return me === undefined ? null : missingFor('register', me, me.identityId);
}

/** A search as far as the session may read it: without a capability, the violations that its identity owns. */
export function useMine(search: ViolationSearch): ViolationSearch {
  const isLimited = useMissing() !== null;
  return useMemo(() => (isLimited ? { ...search, mine: true } : search), [isLimited, search]);
}

/** Says why the list has no other violations. */
export function MineNote() {
  const speech = useSpeech();
  const pageText = usePageTexts(VIOLATIONS_TEXTS);
  const missing = useMissing();
  if (missing === null) return null;
  return <p>{pageText('mine', { names: capabilityChoice(speech, missing) })}</p>;
}
