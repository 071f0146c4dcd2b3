import { connect } from 'node:net';

/** SSLRequest of Postgres' protocol: the length, and the code of the request. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

/** Whether the server answers an SSLRequest. It also answers while it recovers, and when all its connections are in use. */
export function isReachable(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host, () => socket.write(SSL_REQUEST));
    const end = (answered: boolean) => (): void => {
      socket.destroy();
      resolve(answered);
    };
    socket.once('data', end(true)).once('error', end(false)).once('close', end(false));
    socket.setTimeout(3000, end(false));
  });
}
