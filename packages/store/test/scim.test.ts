import { describe } from 'vitest';
import { ENGINE } from './store-engine.ts';
import { describeScim } from './suite/scim-suite.ts';

describe(`the store on ${ENGINE.name}: SCIM`, () => {
  describeScim(ENGINE);
});
