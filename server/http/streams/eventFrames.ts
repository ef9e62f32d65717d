// Server-sent events as pieces of a reply whose end is not known, written past the library: it makes four writes of each piece,
// for every one of a thousand readers.

import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { writeGathered } from './gathered.ts'

const eventOf = (text: string, cursor: string | null): string =>
  `${cursor === null ? '' : `id: ${cursor}\n`}event: event\ndata: ${text}\n\n`

/** A piece of a reply (RFC 9112, 7.1). */
function pieceOf(event: string): Buffer {
  const size = Buffer.byteLength(event)
  const head = `${size.toString(16)}\r\n`
  const piece = Buffer.allocUnsafe(head.length + size + 2)
  piece.write(head, 'latin1')
  piece.write(event, head.length)
  piece.write('\r\n', head.length + size, 'latin1')
  return piece
}

let last: { readonly text: string; readonly cursor: string | null; readonly piece: Buffer } | null = null

/** The connection of a reply, where that comes next on it and is sent in pieces; null else. */
function connectionUnder(res: ServerResponse): Socket | null {
  const { socket } = res
  return socket !== null && res.chunkedEncoding && res.writableLength === socket.writableLength ? socket : null
}

/** Writes an event to a reply whose head was flushed. One goes to many in a row: its piece is made once. */
export function writeEvent(res: ServerResponse, text: string, cursor: string | null): void {
  const socket = connectionUnder(res)
  if (socket === null) return void res.write(eventOf(text, cursor))
  if (last === null || text !== last.text || cursor !== last.cursor)
    last = { text, cursor, piece: pieceOf(eventOf(text, cursor)) }
  writeGathered(socket, last.piece)
}
