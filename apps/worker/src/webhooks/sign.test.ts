import { expect, test } from 'vitest';
import { signMessage } from './sign.ts';

const SECRET = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');
const MESSAGE = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1614265330, body: '{"test": 2432232314}' };

test('signs as the example of Standard Webhooks', () => {
  expect(signMessage(MESSAGE, [SECRET])).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});

test('signs with both secrets while they rotate', () => {
  const both = signMessage(MESSAGE, [Buffer.from('new secret'), SECRET]);
  expect(both.split(' ')).toHaveLength(2);
  expect(both.split(' ')[1]).toBe(signMessage(MESSAGE, [SECRET]));
});
