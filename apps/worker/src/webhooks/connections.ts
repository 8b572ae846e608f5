import type { LookupAddress, LookupOptions } from 'node:dns';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isIPv6, type LookupFunction } from 'node:net';

/** Kept connections by whom and to which addresses they go. */
export interface Connections {
  /** An agent whose connections go to these addresses and no others. */
  agentFor(owner: string, url: URL, addresses: readonly string[]): HttpAgent;
  close(): void;
}

const KEPT_MAX = 1_000;
/** Shorter than most servers keep an idle connection, so that few requests meet one that is being closed. */
const IDLE_MS = 3_000;

/** Connections of one owner are not used for another, even to the same receiver. */
export function createConnections(): Connections {
  const agents = new Map<string, HttpAgent>();
  return {
    agentFor: (owner, url, addresses) => {
      const key = JSON.stringify([owner, url.origin, addresses]);
      const agent = agents.get(key) ?? createAgent(url, addresses);
      agents.delete(key);
      agents.set(key, agent);
      // What is in use goes on: its idle connections end by themselves.
      const [oldest] = agents.keys();
      if (agents.size > KEPT_MAX && oldest !== undefined) agents.delete(oldest);
      return agent;
    },
    close: () => {
      for (const agent of agents.values()) agent.destroy();
      agents.clear();
    },
  };
}

/** An agent of its own ignores the proxies that the environment may name for the global one. */
function createAgent(url: URL, addresses: readonly string[]): HttpAgent {
  const options = { keepAlive: true, timeout: IDLE_MS, maxFreeSockets: 4, lookup: pinTo(addresses) };
  return url.protocol === 'https:' ? new HttpsAgent(options) : new HttpAgent(options);
}

/** Answers with validated addresses, whatever the name resolves to by now. */
export function pinTo(addresses: readonly string[]): LookupFunction {
  const found: LookupAddress[] = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_, options: LookupOptions, callback) => {
    const family =
      options.family === 4 || options.family === 'IPv4' ? 4 : options.family === 6 || options.family === 'IPv6' ? 6 : 0;
    const fitting = family === 0 ? found : found.filter((one) => one.family === family);
    const [first] = fitting;
    if (first === undefined) return callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '', 0);
    return options.all === true ? callback(null, fitting) : callback(null, first.address, first.family);
  };
}
