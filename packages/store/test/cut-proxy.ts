import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy between a store and its database that can fail like a network. */
export interface CutProxy extends AsyncDisposable {
  readonly url: string;
  /** Cuts the next connection that sends this text, before the text arrives or instead of the response. */
  cutAt(text: string, when: 'before' | 'after', andThen?: () => void): void;
  /** Blocks the next connection that sends this text, from the text on and for good. */
  silenceAt(text: string): void;
  /** Blocks both directions until it is called with false. */
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
