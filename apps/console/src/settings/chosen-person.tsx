import { useQuery } from '@tanstack/react-query';
import chips from '../parts/chips.module.css';
import { useApi } from '../service/api.tsx';
import { nameQuery } from '../service/look-ups.ts';
import styles from './chosen-person.module.css';

export interface ChosenPersonProps {
  readonly id: string;
  readonly label: string;
  readonly removeLabel: (name: string) => string;
  readonly onRemove: () => void;
}

/** The person that a field has, by name, with a button that removes it. */
export function ChosenPerson({ id, label, removeLabel, onRemove }: ChosenPersonProps) {
  const known = useQuery(nameQuery(useApi(), { type: 'IDENTITY', id }));
  // An identity that no longer exists is shown by its id.
  const name = known.data ?? id;
  return (
    <p className={chips['chip']}>
      <span>
        <span className={styles['label']}>{label}: </span>
        <span dir="auto">{name}</span>
      </span>
      <button type="button" aria-label={removeLabel(name)} onClick={onRemove}>
        ×
      </button>
    </p>
  );
}
