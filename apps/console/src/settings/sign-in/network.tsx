import type { NetworkConfig } from '@access-admin/client';
import { usePageTexts } from '../../languages/context.tsx';
import { useApi } from '../../service/api.tsx';
import { networkQuery } from '../../service/settings/queries.ts';
import { RadioField } from '../../ui/fields/radio-field.tsx';
import { TextAreaField, TextField } from '../../ui/fields/text-field.tsx';
import { linesOf, patchOf } from '../../ui/forms/changes.ts';
import { Form } from '../../ui/forms/form.tsx';
import { sortRefusals } from '../../ui/forms/refusals.ts';
import { SaveBar } from '../../ui/forms/save-bar.tsx';
import { useDraft, type Versioned } from '../../ui/forms/use-draft.ts';
import columns from '../columns.module.css';
import { useGuardExplanation } from '../lock-out/guard.ts';
import { LockOutPreview } from '../lock-out/preview.tsx';
import { SIGN_IN_TEXTS } from './texts.ts';

/** The values of the form: ranges are one a line, countries have commas between them. */
interface NetworkForm {
  readonly range: string;
  readonly geolocation: string;
  readonly whitelisted: boolean;
}

const formOf = ({ range, geolocation, whitelisted }: NetworkConfig): NetworkForm => ({
  range: (range ?? []).join('\n'),
  geolocation: (geolocation ?? []).join(', '),
  whitelisted,
});

/** The operations that make the changes of the form. */
const operationsOf = ({ range, geolocation, ...changes }: Partial<NetworkForm>) =>
  patchOf<keyof NetworkForm>({
    ...(range !== undefined && { range: linesOf(range) }),
    ...(geolocation !== undefined && { geolocation: linesOf(geolocation.replaceAll(/[\s,;]+/g, '\n')) }),
    ...changes,
  });

/** The networks and countries from which people sign in, and the effect of their change on sign-ins. */
export function NetworkEditor({ network: { value, etag } }: { readonly network: Versioned<NetworkConfig> }) {
  const pageText = usePageTexts(SIGN_IN_TEXTS);
  const api = useApi();
  const draft = useDraft({
    read: { value: formOf(value), etag },
    queryKey: networkQuery(api).queryKey,
    save: (changes, ifMatch) => api.authOrg.network.patch(operationsOf(changes), { ifMatch }),
  });
  const labels = {
    range: pageText('range'),
    geolocation: pageText('geolocation'),
    whitelisted: pageText('whitelisted'),
  };
  const refusals = sortRefusals(draft.error, Object.keys(labels));
  return (
    <Form label={pageText('network')} onSubmit={draft.save}>
      <p className={columns['note']}>{pageText('network.text')}</p>
      <TextAreaField
        isList
        label={labels.range}
        hint={pageText('range.hint')}
        value={draft.value.range}
        errors={refusals.at['range']}
        onChange={(range) => draft.change({ range })}
      />
      <TextField
        label={labels.geolocation}
        hint={pageText('geolocation.hint')}
        value={draft.value.geolocation}
        errors={refusals.at['geolocation']}
        onChange={(text) => draft.change({ geolocation: text.toUpperCase() })}
      />
      <RadioField
        label={labels.whitelisted}
        value={draft.value.whitelisted ? 'trusted' : 'untrusted'}
        options={(['trusted', 'untrusted'] as const).map((each) => ({
          value: each,
          label: pageText(each),
          hint: pageText(`${each}.hint`),
        }))}
        errors={refusals.at['whitelisted']}
        onChange={(meaning) => draft.change({ whitelisted: meaning === 'trusted' })}
      />
      <LockOutPreview change={{ of: 'network', operations: operationsOf(draft.changes) }} />
      <SaveBar draft={draft} labels={labels} refusals={refusals} explanation={useGuardExplanation(draft.error)} />
    </Form>
  );
}
