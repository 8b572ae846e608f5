import { type Account, type ListedIdentity, PreconditionFailedError } from '@access-admin/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Grants } from '../accounts/grants.tsx';
import { usePageTexts } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { nameOf } from '../service/name-of.ts';
import { identitiesQuery, TOUCHED_BY_ACCOUNTS } from '../service/sources/queries.ts';
import { type Fact, Facts } from '../ui/facts.tsx';
import { PersonField } from '../ui/fields/person-field.tsx';
import { Refusal } from '../ui/forms/refusal.tsx';
import type { Versioned } from '../ui/forms/use-draft.ts';
import styles from './account.module.css';
import { ACCOUNT_TEXTS } from './account-texts.ts';

export interface AccountDetailsProps {
  readonly account: Versioned<Account>;
}

/** An account with its identity, the candidates for it, its access, and the attributes that its source gives it. */
export function AccountDetails({ account }: AccountDetailsProps) {
  const pageText = usePageTexts(ACCOUNT_TEXTS);
  return (
    <>
      <section className={styles['part']}>
        <h3>{pageText('person')}</h3>
        <Linking account={account} />
      </section>
      <section className={styles['part']}>
        <h3>{pageText('grants')}</h3>
        <Grants access={account.value.access} />
      </section>
      <section className={styles['part']}>
        <h3>{pageText('details')}</h3>
        <Said account={account.value} />
      </section>
    </>
  );
}

/** An identity that an account may be linked to; a null `id` unlinks it. */
interface Choice {
  readonly id: string | null;
  readonly name: string;
}

function Linking({ account: { value: account, etag } }: AccountDetailsProps) {
  const pageText = usePageTexts(ACCOUNT_TEXTS);
  const api = useApi();
  const queries = useQueryClient();
  const { key, name, identityId, candidates } = account;
  // Those of before stay in their places once one of them is chosen: nothing else comes below the pointer.
  const [found, setFound] = useState(candidates);
  if (candidates.length > 0 && candidates.join() !== found.join()) setFound(candidates);
  const known = [...found, ...(identityId === null ? [] : [identityId])];
  const people = useQuery(identitiesQuery(api, known)).data;
  const link = useMutation({
    mutationFn: ({ id }: Choice) => api.accounts.link(key, id, { ifMatch: etag }).withETag(),
    // The version that is there now is shown before anything else can be chosen, whether it was changed here or elsewhere.
    onSettled: async () => {
      for (const concern of TOUCHED_BY_ACCOUNTS)
        if (concern !== 'accounts') queries.invalidateQueries({ queryKey: [concern] });
      await queries.invalidateQueries({ queryKey: ['accounts'] });
    },
  });
  const choose = (choice: Choice) => link.isPending || link.mutate(choice);
  const isOutdated = link.error instanceof PreconditionFailedError;
  return (
    <>
      <Belongs account={account} person={people?.get(identityId ?? '')} />
      {found.length > 0 && (
        <>
          <h4 className={styles['title']}>{pageText('candidates')}</h4>
          <ul className={styles['people']}>
            {found.map((id) => (
              <Candidate
                key={id}
                id={id}
                person={people?.get(id)}
                isChosen={id === identityId}
                isBusy={link.isPending}
                onChoose={choose}
              />
            ))}
          </ul>
        </>
      )}
      <Others account={account} isBusy={link.isPending} onChoose={choose} />
      {link.isError && <Refusal error={link.error} explanation={isOutdated ? pageText('changed') : null} />}
      <p role="status" className={styles['done']} dir="auto">
        {link.isSuccess &&
          (link.variables.id === null
            ? pageText('done.nobody', { account: name })
            : pageText('done', { account: name, name: link.variables.name }))}
      </p>
    </>
  );
}

/** Whose account it is, and who has decided that. */
function Belongs({
  account: { identityId, correlation },
  person,
}: {
  readonly account: Account;
  readonly person: ListedIdentity | undefined;
}) {
  const pageText = usePageTexts(ACCOUNT_TEXTS);
  if (identityId === null)
    return <p>{pageText(correlation === 'MANUAL' ? 'is.nobody' : `is.${noneOf(correlation)}`)}</p>;
  return (
    <p className={styles['belongs']}>
      <Link to="/people/$id" params={{ id: identityId }}>
        <bdi>{nameOf(identityId, person?.displayName)}</bdi>
      </Link>
      <span className={styles['muted']}>{pageText(correlation === 'MANUAL' ? 'is.MANUAL' : 'is.RULE')}</span>
    </p>
  );
}

const noneOf = (correlation: Account['correlation']): 'NONE' | 'AMBIGUOUS' =>
  correlation === 'AMBIGUOUS' ? 'AMBIGUOUS' : 'NONE';

/** Whether a click is the second one of a double click, which is not meant. */
const isRepeated = (detail: number): boolean => detail > 1;

interface ChoosingProps {
  readonly isBusy: boolean;
  readonly onChoose: (choice: Choice) => void;
}

/** Somebody whom a rule has found, with what tells them from another one of the same name. */
function Candidate({
  id,
  person,
  isChosen,
  isBusy,
  onChoose,
}: ChoosingProps & {
  readonly id: string;
  readonly person: ListedIdentity | undefined;
  readonly isChosen: boolean;
}) {
  const pageText = usePageTexts(ACCOUNT_TEXTS);
  const name = nameOf(id, person?.displayName);
  return (
    <li>
      <span className={styles['about']}>
        <Link to="/people/$id" params={{ id }}>
          <bdi>{name}</bdi>
        </Link>
        <span className={styles['muted']}>
          {[person?.uid, person?.email, person?.identityProfile.name].filter((each) => each != null).join(', ')}
        </span>
      </span>
      <button
        type="button"
        className="button"
        aria-disabled={isBusy || isChosen}
        onClick={({ detail }) => isChosen || isRepeated(detail) || onChoose({ id, name })}
      >
        {pageText(isChosen ? 'linked' : 'link')}
        <span className="away"> {name}</span>
      </button>
    </li>
  );
}

/** Anybody else, or nobody. */
function Others({ account, isBusy, onChoose }: ChoosingProps & { readonly account: Account }) {
  const pageText = usePageTexts(ACCOUNT_TEXTS);
  const [chosen, setChosen] = useState<{ readonly id: string; readonly name: string } | null>(null);
  const isNobody = account.correlation === 'MANUAL' && account.identityId === null;
  return (
    <>
      <PersonField
        label={pageText('other')}
        id={chosen?.id}
        removeLabel={(name) => pageText('remove', { name })}
        onChoose={({ id, name }) => setChosen({ id, name })}
        onRemove={() => setChosen(null)}
      />
      {chosen !== null && (
        <p>
          <button
            type="button"
            className="button main"
            aria-disabled={isBusy || chosen.id === account.identityId}
            onClick={({ detail }) => chosen.id === account.identityId || isRepeated(detail) || onChoose(chosen)}
          >
            {pageText('link.to', { name: chosen.name })}
          </button>
        </p>
      )}
      <div className={styles['nobody']}>
        <button
          type="button"
          className="button"
          aria-disabled={isBusy || isNobody}
          onClick={({ detail }) => isNobody || isRepeated(detail) || onChoose({ id: null, name: '' })}
        >
          {pageText('nobody.to')}
        </button>
        <p className="hint">{pageText('nobody.hint')}</p>
      </div>
      <p className="hint">{pageText('kept')}</p>
    </>
  );
}

/** What the source says of an account. */
function Said({ account }: { readonly account: Account }) {
  const pageText = usePageTexts(ACCOUNT_TEXTS);
  const { id, name, displayName, email, disabled, attributes } = account;
  const facts: readonly Fact[] = [
    { name: pageText('id'), value: id },
    { name: pageText('name'), value: name },
    { name: pageText('displayName'), value: displayName ?? '–' },
    { name: pageText('email'), value: email ?? '–' },
    { name: pageText('state'), value: pageText(disabled ? 'disabled' : 'enabled') },
    // An attribute can have the name of a field.
    ...Object.entries(attributes).map(([attribute, value]) => ({
      name: `attributes.${attribute}`,
      value: String(value),
    })),
  ];
  return <Facts facts={facts} />;
}
