import type { Capability } from '@access-admin/client';
import { useSpeech } from '../languages/context.tsx';
import { capabilityChoice } from './capability-label.ts';
import styles from './missing-right.module.css';

export interface MissingRightProps {
  readonly needed: readonly Capability[];
  /** Whether the session may read what is shown, and lacks the right to change it. */
  readonly isReadable?: boolean;
}

/** Says that the session lacks a right, and which capabilities give it. */
export function MissingRight({ needed, isReadable = false }: MissingRightProps) {
  const speech = useSpeech();
  const names = capabilityChoice(speech, needed);
  return <p className={styles['missing']}>{speech.text(isReadable ? 'right.change' : 'right.missing', { names })}</p>;
}
