import type { Capability } from '@access-admin/client';
import { useSpeech } from '../languages/context.tsx';
import styles from './missing-right.module.css';

/** Says that the session lacks a right, and which capabilities give it. */
export function MissingRight({ needed }: { readonly needed: readonly Capability[] }) {
  const { text, locale } = useSpeech();
  const names = new Intl.ListFormat(locale, { type: 'disjunction' }).format(needed);
  return <p className={styles['missing']}>{text('right.missing', { names })}</p>;
}
