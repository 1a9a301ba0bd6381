import { createServer } from 'node:net';
import { StartError } from './config.ts';

/** One sentence for the operator about an address that cannot be listened on. */
export function listenErrorOf(
  error: unknown,
  { host, port }: { readonly host: string; readonly port: number },
): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  const what = {
    EADDRINUSE: `Port ${port} on ${host} is in use: stop the other program, or set PORT to another number.`,
    EACCES: `Port ${port} needs more rights: set PORT to a number from 1024 to 65535.`,
    EADDRNOTAVAIL: `This machine has no address ${host}: set HOST to one of its own, such as 127.0.0.1.`,
    ENOTFOUND: `The host name ${host} is not known: set HOST to an address of this machine, such as 127.0.0.1.`,
  }[String(code)];
  return what === undefined ? error : new StartError(what);
}

/** Takes the port for a moment and gives it back. @throws StartError when it cannot be had */
export async function checkPort(host: string, port: number): Promise<void> {
  const server = createServer((socket) => socket.destroy());
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen({ host, port }, resolve);
    });
  } catch (error) {
    throw listenErrorOf(error, { host, port });
  }
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
}
