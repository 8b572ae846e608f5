import { createServer } from 'node:http';

// The minimal server: reads the body and sends a prepared answer. Arguments: the answer and the port.
const answer = process.argv[2] ?? '{}';
const server = createServer((request, response) => {
  request.on('data', () => {});
  request.on('end', () => {
    response.setHeader('content-type', 'application/json');
    response.end(answer);
  });
});
server.listen(Number(process.argv[3]), '127.0.0.1');
