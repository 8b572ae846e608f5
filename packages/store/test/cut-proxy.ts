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
  /** Holds back the next text of this kind until it is released: it arrives even if its sender is gone by then. */
  holdAt(text: string): { readonly isHeld: Promise<void>; release(): void };
  /** Refuses connections, and cuts those that there are, until it is called with false. */
  refuse(isRefusing: boolean): Promise<void>;
  cutAll(): void;
}

export async function openCutProxy(databaseUrl: string): Promise<CutProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let trap: { readonly text: string; readonly when: 'before' | 'after'; readonly andThen: () => void } | null = null;
  let silenced: string | null = null;
  let held: { readonly text: string; readonly isHeld: () => void; readonly released: Promise<void> } | null = null;
  let isHanging = false;
  const server = createServer((fromStore) => {
    const toServer = connect(Number(target.port), target.hostname);
    let doom: (() => void) | null = null;
    let isHolding = false;
    const cut = () => {
      if (isHolding) return;
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
      if (held !== null && data.includes(held.text)) {
        const { isHeld, released } = held;
        held = null;
        isHolding = true;
        fromStore.pause();
        void released.then(() => {
          isHolding = false;
          if (fromStore.destroyed) return void toServer.end(data);
          toServer.write(data);
          fromStore.resume();
        });
        return isHeld();
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
    holdAt: (text) => {
      const reached = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      held = { text, isHeld: reached.resolve, released: released.promise };
      return { isHeld: reached.promise, release: released.resolve };
    },
    refuse: async (isRefusing) => {
      if (!isRefusing) return void (await once(server.listen(port, '127.0.0.1'), 'listening'));
      const closed = once(server.close(), 'close');
      for (const socket of sockets) socket.destroy();
      await closed;
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
