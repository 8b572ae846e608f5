export { openMailServer } from './mail/server.ts';
