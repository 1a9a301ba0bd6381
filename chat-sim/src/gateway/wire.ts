import { constants, createDeflate } from 'node:zlib';
import type { WebSocket } from 'ws';
import type { FrameSink } from './session.ts';

/** How a client reads: plain text frames, or one zlib stream over all frames. */
export type Compression = 'none' | 'zlib-stream';

/** What a gateway address asks for; anything else than zlib-stream is answered in plain text. */
export function compressionOf(address: URL): Compression {
  return address.searchParams.get('compress') === 'zlib-stream' ? 'zlib-stream' : 'none';
}

export function openSink(socket: WebSocket, compression: Compression): FrameSink {
  return compression === 'none' ? { send: (text) => socket.send(text) } : zlibSink(socket);
}

/** One deflate context per connection; each frame ends with a sync flush (00 00 ff ff). */
function zlibSink(socket: WebSocket): FrameSink {
  const deflate = createDeflate({ flush: constants.Z_SYNC_FLUSH });
  let parts: Buffer[] = [];
  deflate.on('data', (part: Buffer) => parts.push(part));
  socket.once('close', () => deflate.destroy());
  const waiting: string[] = [];
  let busy = false;
  const next = (): void => {
    const text = waiting.shift();
    if (text === undefined || deflate.destroyed) {
      busy = false;
      return;
    }
    busy = true;
    deflate.write(text);
    deflate.flush(constants.Z_SYNC_FLUSH, () => {
      const frame = Buffer.concat(parts);
      parts = [];
      socket.send(frame);
      next();
    });
  };
  return {
    send: (text) => {
      waiting.push(text);
      if (!busy) next();
    },
  };
}
