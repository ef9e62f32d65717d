// The reply to a plain request at the path of a WebSocket.

import type { HttpExchange } from './exchange.ts'

export const sayUpgrade = (exchange: HttpExchange): void | Promise<void> =>
  exchange.reply({
    status: 426,
    type: 'application/json',
    body: JSON.stringify({ error: 'this path is a WebSocket: connect with Upgrade: websocket' }),
    headers: ['Upgrade', 'websocket'],
  })
