import type { AccessAdminClient } from '@access-admin/client';
import { chooseLanguage, type Language, localeOf } from '@access-admin/languages';
import { CSPProvider } from '@base-ui/react/csp-provider';
import {
  focusManager,
  MutationCache,
  QueryCache,
  QueryClient,
  QueryClientProvider,
  useQuery,
} from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { SpeechProvider } from '../languages/context.tsx';
import { loadLanguage } from '../languages/load.ts';
import { applyTheme, keepPreferences, type Preferences } from '../look/theme.ts';
import { ApiProvider } from '../service/api.tsx';
import { isSessionEnd } from '../service/failures.ts';
import { missingRight } from '../service/rights.ts';
import { sessionQuery } from '../service/session.ts';
import { router } from './router.tsx';
import { FrameProvider, type FrameState } from './state.tsx';
import { useConnection } from './use-connection.ts';
import { useLive } from './use-live.ts';

/** The language that is shown, and how dates and numbers are written in it. */
export interface Spoken {
  readonly language: Language;
  readonly locale: string;
}

export interface ConsoleProps {
  readonly api: AccessAdminClient;
  readonly preferences: Preferences;
  readonly spoken: Spoken;
}

/** The whole console. */
export function Console({ api, preferences: kept, spoken: first }: ConsoleProps) {
  const [preferences, setPreferences] = useState(kept);
  const [spoken, setSpoken] = useState(first);
  const [hasEnded, setEnded] = useState(false);
  const queries = useMemo(() => createQueries(() => setEnded(true)), []);
  const isLost = useConnection({ api, queries, isPaused: hasEnded });
  const { data: session } = useQuery(sessionQuery(api), queries);
  // Without the right, the console asks for no events: each refusal would be an entry of the audit log.
  const mayFollow = session !== undefined && missingRight('events', session) === null;
  const isLive = useLive({ api, queries, isPaused: hasEnded || isLost || !mayFollow });
  // Queries that are repeated stop without the focus: after the end of the session each one would be refused.
  useEffect(() => focusManager.setFocused(hasEnded ? false : undefined), [hasEnded]);
  useEffect(() => applyTheme(preferences.theme), [preferences.theme]);
  useEffect(() => {
    document.documentElement.lang = spoken.language;
  }, [spoken.language]);
  const frame: FrameState = {
    preferences,
    isLive,
    isLost,
    hasEnded,
    change: (part) => {
      const changed = { ...preferences, ...part };
      setPreferences(changed);
      keepPreferences(changed);
      if (part.language != null) {
        const next = speak(part.language);
        loadLanguage(next.language).then(() => setSpoken(next));
      }
    },
    resume: () => {
      setEnded(false);
      queries.invalidateQueries();
    },
  };
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queries}>
        <ApiProvider value={api}>
          <SpeechProvider {...spoken}>
            <FrameProvider value={frame}>
              <RouterProvider router={router} />
            </FrameProvider>
          </SpeechProvider>
        </ApiProvider>
      </QueryClientProvider>
    </CSPProvider>
  );
}

/** The preferred language, or one of the browser's. */
export function speak(preferred: string | null): Spoken {
  const language = chooseLanguage(preferred, navigator.languages);
  return { language, locale: localeOf(language, navigator.languages) };
}

// What changes elsewhere is told by events; without them, a page that is shown again after this time is read again.
const FRESH_MS = 30_000;

const createQueries = (onSessionEnd: () => void): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({ onError: (error) => isSessionEnd(error) && onSessionEnd() }),
    mutationCache: new MutationCache({ onError: (error) => isSessionEnd(error) && onSessionEnd() }),
    // The client of the service repeats what is worth repeating.
    defaultOptions: { queries: { retry: false, staleTime: FRESH_MS } },
  });
