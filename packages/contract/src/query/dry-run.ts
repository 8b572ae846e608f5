import { COUNTRY, type Failure, fail, failure, ok, parseAddress, type Result } from '@access-admin/domain';
import { onceOf } from './once-of.ts';
import type { QueryParameter } from './parse-query.ts';

/** The query of a change that can be tried without being made. `ip` and `country` count with `dryRun=true` alone. */
export const DRY_RUN_QUERY = {
  dryRun: {
    description: 'With `true` nothing changes, and the answer says what the change would do to sign-ins.',
    values: ['true', 'false'],
    parse: parseIsDryRun,
  } satisfies QueryParameter<boolean>,
  ip: {
    description: 'The address from which the sign-ins of a dry-run come; that of the caller if left out.',
    parse: (query) =>
      parseOfDryRun(query, 'ip', (text) => (parseAddress(text) === null ? 'must be an IPv4 or IPv6 address' : null)),
  } satisfies QueryParameter<string | null>,
  country: {
    description:
      'The country from which the sign-ins of a dry-run come, as two capital letters; if left out, that of `ip` where the service knows it, otherwise that of the caller.',
    parse: (query) =>
      parseOfDryRun(query, 'country', (text) =>
        COUNTRY.test(text) ? null : 'must be a country as two capital letters, such as CH',
      ),
  } satisfies QueryParameter<string | null>,
} as const;

function parseIsDryRun(query: URLSearchParams): Result<boolean, Failure> {
  const text = onceOf(query, 'dryRun');
  if (!text.ok) return text;
  if (text.value === 'true') return ok(true);
  return text.value === null || text.value === 'false' ? ok(false) : illegal('dryRun', 'must be true or false');
}

/** The text of a parameter of a dry-run, null without one; `faultOf` says what is wrong with it, null if nothing is. */
function parseOfDryRun(
  query: URLSearchParams,
  name: string,
  faultOf: (text: string) => string | null,
): Result<string | null, Failure> {
  const text = query.get('dryRun') === 'true' ? onceOf(query, name) : ok(null);
  if (!text.ok || text.value === null) return text;
  const fault = faultOf(text.value);
  return fault === null ? text : illegal(name, fault);
}

const illegal = (at: string, rule: string) => fail(failure('IllegalValue', at, rule));
