import type { Capability } from '@access-admin/client';
import { useSpeech } from '../languages/context.tsx';
import { capabilityChoice } from './capability-label.ts';
import styles from './missing-right.module.css';

/** Says that the session lacks a right, and which capabilities give it. */
export function MissingRight({ needed }: { readonly needed: readonly Capability[] }) {
  const speech = useSpeech();
  return (
    <p className={styles['missing']}>{speech.text('right.missing', { names: capabilityChoice(speech, needed) })}</p>
  );
}
