import { randomUUID } from 'node:crypto';
import { createOrderedIds } from '../../../engine/ordered-ids.ts';

export const newViolationId = createOrderedIds(randomUUID);
