import { describe } from 'vitest';
import { ENGINE } from './store-engine.ts';
import { describeLoads } from './suite/load-suite.ts';

describe(`the store on ${ENGINE.name}: loads of sources`, () => {
  describeLoads(ENGINE);
});
