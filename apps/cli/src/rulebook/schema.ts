import { chosen } from '@access-admin/contract';
import { SOD_POLICY_LEVELS, SOD_POLICY_STATES } from '@access-admin/domain';
import * as v from 'valibot';

const text = v.pipe(v.string(), v.nonEmpty('must not be empty'));
const described = <S extends v.GenericSchema>(schema: S, description: string) =>
  v.pipe(schema, v.metadata({ description }));

const ref = described(
  text,
  'The id of an entitlement, also as `ENTITLEMENT:id`, or a pattern with `*`, such as `erp:pay-*`.',
);
const refs = v.pipe(v.array(ref), v.nonEmpty('must not be empty'));
const accessRef = described(text, 'The id of an entitlement, or `ENTITLEMENT:id`, `ACCESS_PROFILE:id` or `ROLE:id`.');

const policyFields = {
  id: described(text, 'The id of the policy: 1 to 128 of A-Z a-z 0-9 : _ . -'),
  name: described(text, 'The name of the policy.'),
  state: v.exactOptional(described(v.picklist(SOD_POLICY_STATES), 'ENFORCED for a new policy.')),
  level: v.exactOptional(described(v.picklist(SOD_POLICY_LEVELS), 'HIGH for a new policy.')),
  owner: v.exactOptional(
    described(v.nullable(text), 'The id of the identity that owns the violations; null for none.'),
  ),
  description: v.exactOptional(described(v.nullable(text), 'The risk; null for none.')),
  tags: v.exactOptional(v.array(text)),
  advice: v.exactOptional(described(v.nullable(text), 'What to do about a violation; null for none.')),
  controls: v.exactOptional(
    described(
      v.nullable(v.union([text, v.array(text)], 'must be a text or a list of texts')),
      'Compensating controls; null for none.',
    ),
  ),
};

const pair = v.strictObject({
  ...policyFields,
  left: described(refs, 'Nobody may hold an item of this side and one of `right`.'),
  right: refs,
});

const kOfN = v.strictObject({
  ...policyFields,
  sides: described(
    v.pipe(v.array(v.strictObject({ name: v.exactOptional(text), items: refs })), v.nonEmpty('must not be empty')),
    'Nobody may be on `atLeast` of these sides.',
  ),
  atLeast: described(
    v.pipe(v.number('must be a number'), v.integer('must be a whole number')),
    'From 2 to the number of sides.',
  ),
});

const critical = v.strictObject({
  ...policyFields,
  critical: described(refs, 'Holding one of these is a violation.'),
});

/** The form of a policy is told by its keys, so that faults are those of the form that was meant. */
const policy = chosen(v.union([pair, kOfN, critical]), (input) => {
  const given: object = Object(input);
  if ('critical' in given) return critical;
  return 'sides' in given || 'atLeast' in given ? kOfN : pair;
});

const expectation = v.pipe(
  v.strictObject({
    violates: v.exactOptional(
      described(
        v.array(text),
        'The ids of the policies that are violated: by the request where there is one, else by what is held. No others may be.',
      ),
    ),
    clean: v.exactOptional(described(v.boolean(), 'Whether no policy is violated, by the request where there is one.')),
    existing: v.exactOptional(
      described(
        v.array(text),
        'The ids of the policies that what is held violates without the request. No others may be.',
      ),
    ),
  }),
  v.check((given) => Object.keys(given).length > 0, 'must have `violates`, `clean` or `existing`'),
);

const testCase = v.strictObject({
  name: text,
  given: v.exactOptional(
    described(
      v.union(
        [v.strictObject({ holds: v.array(accessRef) }), v.strictObject({ identity: text }), text],
        'must be {holds: [refs]} or the id of an identity of the model',
      ),
      'What is held: refs, or what an identity of the model holds. Nothing if left out.',
    ),
  ),
  request: v.exactOptional(described(v.array(accessRef), 'The access that is requested.')),
  at: v.exactOptional(
    described(
      v.pipe(
        v.string(),
        v.check((at) => ISO_WITH_OFFSET.test(at) && !Number.isNaN(Date.parse(at)), 'must be ISO 8601 with an offset'),
      ),
      'The only instant that counts, as ISO 8601 with an offset.',
    ),
  ),
  expect: expectation,
});

const ISO_WITH_OFFSET = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

/** A file of a rulebook. */
export const rulebookFile = v.strictObject({
  policies: v.exactOptional(v.array(policy)),
  tests: v.exactOptional(v.array(testCase)),
});

/** A policy as its file states it. */
export type WrittenPolicy = v.InferOutput<typeof policy>;
/** A test as its file states it. */
export type WrittenTest = v.InferOutput<typeof testCase>;

/** The keys of policies, their sides, tests and files in the order in which `fmt` writes them. */
export const KEY_ORDER: Readonly<Record<'file' | 'policy' | 'side' | 'test' | 'given' | 'expect', readonly string[]>> =
  {
    file: ['policies', 'tests'],
    policy: [
      'id',
      'name',
      'state',
      'level',
      'owner',
      'description',
      'tags',
      'advice',
      'controls',
      'left',
      'right',
      'sides',
      'atLeast',
      'critical',
    ],
    side: ['name', 'items'],
    test: ['name', 'given', 'request', 'at', 'expect'],
    given: ['holds', 'identity'],
    expect: ['violates', 'clean', 'existing'],
  };
