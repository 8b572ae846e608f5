import { createServer } from 'node:http';

// The least that a server can do: read the body, send a prepared answer. Arguments: the answer and the port.
const answer = process.argv[2] ?? '{}';
const server = createServer((request, response) => {
  request.on('data', () => {});
  request.on('end', () => {
    response.setHeader('content-type', 'application/json');
    response.end(answer);
  });
});
server.listen(Number(process.argv[3]), '127.0.0.1');
