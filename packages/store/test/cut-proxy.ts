import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Stands between a store and its database, as a network does that fails. */
export interface CutProxy extends AsyncDisposable {
  readonly url: string;
  /** Cuts the connection on which this text goes to the server next, before it arrives or instead of the answer. */
  cutAt(text: string, when: 'before' | 'after', andThen?: () => void): void;
  /** From this text on the connection on which it goes to the server next lets nothing more through, for good. */
  silenceAt(text: string): void;
  /** Lets nothing through, in either direction, until it is called again with false. */
  hang(isHanging: boolean): void;
  cutAll(): void;
}

export async function openCutProxy(databaseUrl: string): Promise<CutProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let trap: { readonly text: string; readonly when: 'before' | 'after'; readonly andThen: () => void } | null = null;
  let silenced: string | null = null;
  let isHanging = false;
  const server = createServer((fromStore) => {
    const toServer = connect(Number(target.port), target.hostname);
    let doom: (() => void) | null = null;
    const cut = () => {
      fromStore.destroy();
      toServer.destroy();
    };
    for (const socket of [fromStore, toServer]) {
      sockets.add(socket);
      socket.on('error', cut).on('close', () => {
        sockets.delete(socket);
        cut();
      });
      if (isHanging) socket.pause();
    }
    fromStore.on('data', (data) => {
      if (silenced !== null && data.includes(silenced)) {
        silenced = null;
        fromStore.pause().removeAllListeners('data');
        return;
      }
      if (trap !== null && data.includes(trap.text)) {
        const { when, andThen } = trap;
        trap = null;
        if (when === 'before') return cut();
        doom = andThen;
      }
      toServer.write(data);
    });
    toServer.on('data', (data) => {
      if (doom === null) return void fromStore.write(data);
      doom();
      cut();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const url = new URL(databaseUrl);
  url.port = String(port);
  return {
    url: url.href,
    cutAt: (text, when, andThen = () => {}) => {
      trap = { text, when, andThen };
    },
    silenceAt: (text) => {
      silenced = text;
    },
    hang: (hanging) => {
      isHanging = hanging;
      for (const socket of sockets) hanging ? socket.pause() : socket.resume();
    },
    cutAll: () => {
      for (const socket of sockets) socket.destroy();
    },
    [Symbol.asyncDispose]: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
