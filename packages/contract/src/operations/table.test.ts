import type { Patch } from '@access-admin/domain';
import { expectTypeOf, test } from 'vitest';
import type { BodyOf, OperationOf, ParamsOf, QueryOf, ResponseOf } from './table.ts';

test('a handler is typed by the definition of its operation', () => {
  expectTypeOf<ParamsOf<'get-auth-user-v1'>>().toEqualTypeOf<{ readonly id: string }>();
  expectTypeOf<ParamsOf<'remove-credential-v1'>>().toEqualTypeOf<{
    readonly id: string;
    readonly credentialId: string;
  }>();
  expectTypeOf<BodyOf<'get-auth-user-v1'>>().toEqualTypeOf<undefined>();
  expectTypeOf<BodyOf<'patch-auth-user-v1'>>().toEqualTypeOf<Patch>();
  expectTypeOf<BodyOf<'create-sign-in-link-v1'>>().toEqualTypeOf<{ hours: number }>();
  expectTypeOf<keyof QueryOf<'get-auth-user-v1'>>().toEqualTypeOf<never>();
  expectTypeOf<ResponseOf<'create-sign-in-link-v1'>['url']>().toEqualTypeOf<string>();
  expectTypeOf<ResponseOf<'unlock-auth-user-v1'>>().toEqualTypeOf<undefined>();
  expectTypeOf<OperationOf<'get-auth-user-v1'>['method']>().toEqualTypeOf<'GET'>();
});
