import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { RefCallback } from 'react';
import { useApi } from '../../service/api.tsx';
import { type Choice, nameQuery, peopleQuery } from '../../service/look-ups.ts';
import { ChosenField } from './chosen-field.tsx';
import { LookUpField } from './look-up-field.tsx';
import { useFocusInPlace } from './use-focus-in-place.ts';

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
  const { ref, changesByHand } = useFocusInPlace(id);
  const choose = (person: Choice) => {
    changesByHand();
    onChoose(person);
  };
  const remove = () => {
    changesByHand();
    onRemove();
  };
  if (id === undefined)
    return <LookUpField ref={ref} label={label} offer={(typed) => peopleQuery(api, typed)} onChoose={choose} />;
  return <Person ref={ref} id={id} label={label} removeLabel={removeLabel} onRemove={remove} />;
}

interface PersonProps extends Omit<PersonFieldProps, 'id' | 'onChoose'> {
  readonly id: string;
  readonly ref: RefCallback<HTMLElement>;
}

function Person({ id, label, removeLabel, onRemove, ref }: PersonProps) {
  const known = useQuery(nameQuery(useApi(), { type: 'IDENTITY', id }));
  // An identity that does not exist any more is shown by its id.
  const name = known.data ?? id;
  return (
    <ChosenField ref={ref} label={label} removeLabel={removeLabel(name)} onRemove={onRemove}>
      <Link to="/people/$id" params={{ id }}>
        {name}
      </Link>
    </ChosenField>
  );
}
