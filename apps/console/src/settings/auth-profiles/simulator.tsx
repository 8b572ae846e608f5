import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { usePageTexts } from '../../languages/context.tsx';
import { useApi } from '../../service/api.tsx';
import { decisionQuery } from '../../service/settings/queries.ts';
import { type AuthProfileSearch, parseAuthProfileSearch } from '../../service/settings/search.ts';
import { Card } from '../../ui/card.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { PersonField } from '../../ui/fields/person-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { useTyped } from '../../ui/fields/use-typed.ts';
import { sortRefusals } from '../../ui/forms/refusals.ts';
import columns from '../columns.module.css';
import { Decision } from './decision.tsx';
import { AUTH_PROFILE_TEXTS } from './texts.ts';

const FIELDS = ['ip', 'country'];

/** What a sign-in of a person from somewhere would do. The address of the page holds the question. */
export function Simulator() {
  const pageText = usePageTexts(AUTH_PROFILE_TEXTS);
  const api = useApi();
  const search = useSearch({ from: '/settings/auth-profiles' });
  const navigate = useNavigate({ from: '/settings/auth-profiles' });
  const decision = useQuery(decisionQuery(api, search));
  const change = (part: Partial<Record<keyof AuthProfileSearch, string>>) =>
    navigate({
      search: (present) => parseAuthProfileSearch({ ...present, ...part }),
      replace: true,
      resetScroll: false,
    });
  const refusals = sortRefusals(decision.error, FIELDS);
  const isAsked = search.person !== undefined && search.ip !== undefined;
  return (
    <div className={columns['columns']}>
      <Card title={pageText('simulator')}>
        <p className={columns['note']}>{pageText('simulator.text')}</p>
        <PersonField
          label={pageText('person')}
          id={search.person}
          removeLabel={(name) => pageText('remove', { name })}
          onChoose={({ id }) => change({ person: id })}
          onRemove={() => change({ person: '' })}
        />
        <Place search={search} errors={refusals.at} onChange={change} />
      </Card>
      <Card title={pageText('answer')}>
        {!isAsked && (
          <Empty title={pageText('empty')}>
            <p>{pageText('empty.text')}</p>
          </Empty>
        )}
        {isAsked && decision.isError && Object.keys(refusals.at).length === 0 && (
          <Failure error={decision.error} onRetry={decision.refetch} />
        )}
        {isAsked && decision.isSuccess && <Decision decision={decision.data} />}
      </Card>
    </div>
  );
}

interface PlaceProps {
  readonly search: AuthProfileSearch;
  readonly errors: Readonly<Record<string, readonly string[]>>;
  readonly onChange: (part: { readonly ip: string } | { readonly country: string }) => void;
}

/** From where the person signs in. The address of the page follows what is typed. */
function Place({ search: { ip = '', country = '' }, errors, onChange }: PlaceProps) {
  const pageText = usePageTexts(AUTH_PROFILE_TEXTS);
  const [typedIp, setIp] = useTyped({ value: ip, onChange: (next) => onChange({ ip: next }) });
  const [typedCountry, setCountry] = useTyped({ value: country, onChange: (next) => onChange({ country: next }) });
  return (
    <>
      <TextField
        label={pageText('ip')}
        hint={pageText('ip.hint')}
        value={typedIp}
        errors={errors['ip']}
        onChange={(text) => setIp(text.trim())}
      />
      <TextField
        label={pageText('country')}
        hint={pageText('country.hint')}
        width="short"
        value={typedCountry}
        errors={errors['country']}
        onChange={(text) => setCountry(text.trim().toUpperCase())}
      />
    </>
  );
}
