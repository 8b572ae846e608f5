export { parseConfig } from './config.ts';
export { openMailServer } from './mail/server.ts';
