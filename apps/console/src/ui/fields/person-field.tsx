import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../service/api.tsx';
import { type Choice, nameQuery, peopleQuery } from '../../service/look-ups.ts';
import { ChosenField } from './chosen-field.tsx';
import { LookUpField } from './look-up-field.tsx';

export interface PersonFieldProps {
  readonly label: string;
  /** The person that was chosen, by id. */
  readonly id: string | undefined;
  /** What the button says that removes the person. */
  readonly removeLabel: (name: string) => string;
  readonly onChoose: (person: Choice) => void;
  readonly onRemove: () => void;
}

/** One person: looked up, or the one that was chosen. */
export function PersonField({ label, id, removeLabel, onChoose, onRemove }: PersonFieldProps) {
  const api = useApi();
  if (id === undefined)
    return <LookUpField label={label} offer={(typed) => peopleQuery(api, typed)} onChoose={onChoose} />;
  return <Person id={id} label={label} removeLabel={removeLabel} onRemove={onRemove} />;
}

function Person({
  id,
  label,
  removeLabel,
  onRemove,
}: Omit<PersonFieldProps, 'id' | 'onChoose'> & { readonly id: string }) {
  const known = useQuery(nameQuery(useApi(), { type: 'IDENTITY', id }));
  // An identity that does not exist any more is shown by its id.
  const name = known.data ?? id;
  return (
    <ChosenField label={label} removeLabel={removeLabel(name)} onRemove={onRemove}>
      {name}
    </ChosenField>
  );
}
