import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that reads and answers; `GET /counts` tells and resets what it saw. `--hang`: never answers. */
const hang = process.argv.includes('--hang');
let requests = 0;
let connections = 0;
let bytes = 0;

const server = createServer((request, response) => {
  if (request.url === '/counts') {
    response.end(JSON.stringify({ requests, connections, bytes }));
    requests = connections = bytes = 0;
    return;
  }
  requests += 1;
  request.on('data', (chunk: Buffer) => (bytes += chunk.length));
  request.on('end', () => {
    if (!hang) response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  });
});
server.keepAliveTimeout = 65_000;
server.on('connection', () => (connections += 1));
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
