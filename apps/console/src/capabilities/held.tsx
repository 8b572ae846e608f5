import type { Capability } from '@access-admin/client';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { isEffective } from '../service/people/effective-capabilities.ts';
import styles from './card.module.css';
import { CAPABILITY_TEXTS } from './texts.ts';

/** The capabilities that a person has, with what each permits. */
export function Held({ capabilities }: { readonly capabilities: readonly Capability[] }) {
  const { text } = useSpeech();
  const pageText = usePageTexts(CAPABILITY_TEXTS);
  if (capabilities.length === 0) return <p className={styles['note']}>{pageText('none')}</p>;
  return (
    <ul className={styles['held']}>
      {capabilities.map((capability) => (
        <li key={capability}>
          <span className={styles['name']}>
            {isEffective(capability) && `${text(`capability.${capability}`)} `}
            <code>{capability}</code>
          </span>
          <span className={styles['note']}>{pageText(isEffective(capability) ? capability : 'other')}</span>
        </li>
      ))}
    </ul>
  );
}
