import { createContext, useContext } from 'react';
import type { Preferences } from '../look/theme.ts';

/** What a person has chosen, and whether the pages are live. */
export interface FrameState {
  readonly preferences: Preferences;
  readonly change: (part: Partial<Preferences>) => void;
  /** Whether changes made elsewhere show by themselves. */
  readonly isLive: boolean;
  /** Whether there is no connection to the service. */
  readonly isLost: boolean;
  /** Whether the session has ended, so that the person has to sign in again. */
  readonly hasEnded: boolean;
  /** Called after another sign-in. */
  readonly resume: () => void;
}

const FrameContext = createContext<FrameState | null>(null);

/** Gives the frame its state. */
export const FrameProvider = FrameContext;

/** The state of the frame. */
export function useFrame(): FrameState {
  const state = useContext(FrameContext);
  if (state === null) throw new Error('the page has no frame');
  return state;
}
