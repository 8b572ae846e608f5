/** Requests of the certification scenario of the AuthZEN Authorization API 1.0, by the numbers of its sections. */

export const alice = { type: 'user', id: 'alice' };
export const bob = { type: 'user', id: 'bob' };
export const read = { name: 'read' };
export const write = { name: 'write' };
export const record1 = { type: 'record', id: 'record-1' };
export const record2 = { type: 'record', id: 'record-2' };

const time = '2025-06-27T18:03-07:00';
const PERMITTED = { subject: alice, action: read, resource: record1 };

/** Evaluations whose decisions the scenario fixes. */
export const DECISIONS: Readonly<Record<string, readonly [request: object, decision: boolean]>> = {
  '2.2.1 permit': [PERMITTED, true],
  '2.2.2 deny': [{ subject: bob, action: write, resource: record1 }, false],
  '2.2.3 context': [{ ...PERMITTED, context: { time, ip: '192.168.1.1' } }, true],
  '2.2.8 additional properties': [
    {
      subject: { ...alice, properties: { department: 'Sales', role: 'manager' } },
      action: { ...read, properties: { method: 'GET' } },
      resource: { ...record1, properties: { status: 'active', owner: 'bob' } },
    },
    true,
  ],
  '2.2.9 unknown fields': [{ ...PERMITTED, foo: 'bar', futureField: { nested: true } }, true],
  '1.4 rule 2': [{ subject: alice, action: write, resource: record1 }, true],
  '1.4 rule 3': [{ subject: bob, action: read, resource: record1 }, true],
};

/** Evaluations that are refused with 400. */
export const REFUSED: Readonly<Record<string, object>> = {
  '2.4.1 no subject': { action: read, resource: record1 },
  '2.4.1 no action': { subject: alice, resource: record1 },
  '2.4.1 no resource': { subject: alice, action: read },
  '2.4.2 no type of the subject': { ...PERMITTED, subject: { id: 'alice' } },
  '2.4.2 no id of the subject': { ...PERMITTED, subject: { type: 'user' } },
  '2.4.2 no name of the action': { ...PERMITTED, action: {} },
  '2.4.2 no type of the resource': { ...PERMITTED, resource: { id: 'record-1' } },
  '2.4.2 no id of the resource': { ...PERMITTED, resource: { type: 'record' } },
  '2.4.6 subject of another type': { ...PERMITTED, subject: 'alice' },
  '2.4.6 name of another type': { ...PERMITTED, action: { name: 123 } },
};

/** Batches, with the decisions that the scenario fixes; null for any. */
export const BATCHES: Readonly<Record<string, readonly [request: object, decisions: readonly (boolean | null)[]]>> = {
  '3.2.1 array': [
    { subject: alice, action: read, evaluations: [{ resource: record1 }, { resource: record2 }] },
    [null, null],
  ],
  '3.2.2 decisions': [
    { subject: bob, resource: record1, evaluations: [{ action: read }, { action: write }] },
    [true, false],
  ],
  '3.2.5 no defaults': [
    { evaluations: [PERMITTED, { subject: bob, action: write, resource: record1 }] },
    [true, false],
  ],
  '3.2.6 context': [
    {
      subject: alice,
      action: read,
      context: { time },
      evaluations: [
        { resource: record1 },
        { resource: record2, context: { time: '2025-06-27T19:00-07:00', source: 'batch-override' } },
      ],
    },
    [null, null],
  ],
  '3.4.1 an item that cannot be asked': [
    { subject: alice, action: read, evaluations: [{ resource: record1 }, {}] },
    [true, false],
  ],
};

/** Searches, with what they must find at least. */
export const SEARCHES: Readonly<Record<string, readonly [kind: string, request: object, found: readonly object[]]>> = {
  '4.2.1 subjects': ['subject', { subject: { type: 'user' }, action: read, resource: record1 }, [alice, bob]],
  '4.2.2 subjects with context': [
    'subject',
    { subject: { type: 'user' }, action: read, resource: record1, context: { time } },
    [alice, bob],
  ],
  '4.3.1 resources': ['resource', { subject: alice, action: read, resource: { type: 'record' } }, [record1]],
  '4.4.1 actions': ['action', { subject: alice, resource: record1 }, [read, write]],
  '4.4.2 actions with context': ['action', { subject: alice, resource: record1, context: { time } }, [read, write]],
};

/** Searches that find nothing. */
export const EMPTY: Readonly<Record<string, readonly [kind: string, request: object]>> = {
  '4.6.1 unknown id': ['action', { subject: { type: 'user', id: 'nonexistent-user' }, resource: record1 }],
  '4.6.2 unknown type': ['subject', { subject: { type: 'spaceship' }, action: read, resource: record1 }],
};

/** Searches that are refused with 400. */
export const REFUSED_SEARCHES: Readonly<Record<string, readonly [kind: string, request: object]>> = {
  '4.7.1 no action': ['subject', { subject: { type: 'user' }, resource: record1 }],
  '4.7.1 no subject': ['resource', { action: read, resource: { type: 'record' } }],
  '4.7.1 no resource': ['action', { subject: alice }],
  '4.7.2 no id of the resource': ['subject', { subject: { type: 'user' }, action: read, resource: { type: 'record' } }],
  '4.7.2 no id of the subject': ['resource', { subject: { type: 'user' }, action: read, resource: { type: 'record' } }],
};
