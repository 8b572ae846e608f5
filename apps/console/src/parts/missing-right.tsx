import type { Capability } from '@access-admin/client';
import { useSpeech } from '../languages/context.tsx';
import styles from './missing-right.module.css';

/** Says that the person who is signed in may not see or do something, and which capabilities would give the right. */
export function MissingRight({ needed }: { readonly needed: readonly Capability[] }) {
  const { text, locale } = useSpeech();
  const names = new Intl.ListFormat(locale, { type: 'disjunction' }).format(needed);
  return <p className={styles['missing']}>{text('right.missing', { names })}</p>;
}
