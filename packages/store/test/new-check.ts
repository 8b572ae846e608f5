import type { NewCheck } from '../src/index.ts';
import { NOW } from './model-records.ts';

export const newCheck = (requestId: string, fields: Partial<NewCheck> = {}): NewCheck => ({
  tenant: 'acme',
  requestId,
  created: NOW,
  identityId: 'i-1',
  accessRefs: [],
  clientMetadata: null,
  ...fields,
});
