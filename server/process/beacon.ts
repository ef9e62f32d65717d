// A sign of life that reaches across containers, whose processes cannot see each other: a socket in the folder, which the
// system answers for as long as its process lives, however busy that is, and not an instant longer.

import { closeSync, openSync } from 'node:fs'
import { unlink } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { basename, dirname } from 'node:path'
import { hasCode } from './systemErrors.ts'

/** What the address of a socket may hold, on every system. Node 20 and 22 cut off the rest, and with it what differs. */
export const MOST_SOCKET_BYTES = 103

interface Address {
  readonly text: string
  /** The text leads to the file until then. */
  close(): void
}

/** Null where there is none: Linux alone has a short name for an open folder. A folder that is missing throws. */
function addressOf(path: string): Address | null {
  const isShort = (text: string) => Buffer.byteLength(text) <= MOST_SOCKET_BYTES
  if (isShort(path)) return { text: path, close: () => undefined }
  if (process.platform !== 'linux') return null
  const folder = openSync(dirname(path), 'r')
  const text = `/proc/self/fd/${folder}/${basename(path)}`
  if (isShort(text)) return { text, close: () => closeSync(folder) }
  closeSync(folder)
  return null
}

function orNull(make: () => Address | null): Address | null {
  try {
    return make()
  } catch {
    return null
  }
}

/** Begins to answer at `path`; null where that cannot be had. The function ends it. */
export function lightBeacon(path: string): Promise<(() => Promise<void>) | null> {
  const address = process.platform === 'win32' ? null : orNull(() => addressOf(path))
  if (address === null) return Promise.resolve(null)
  const server = createServer((socket) => socket.destroy()).unref()
  // The end of a server removes its file, by the same address.
  const end = () => new Promise<void>((resolve) => void server.close(() => resolve())).finally(address.close)
  return new Promise((resolve) => {
    const fail = () => {
      address.close()
      resolve(null)
    }
    server.once('error', fail)
    // By itself also in a cluster, whose workers would share one socket.
    server.listen({ path: address.text, exclusive: true }, () => {
      // A connection that cannot be taken, as without a file for it, ends nothing: to be connected with is answer enough.
      server.off('error', fail).on('error', () => undefined)
      resolve(end)
    })
  })
}

/** Whether the socket at `path` is surely dead: it exists and refuses connections. */
export function isBeaconOut(path: string): Promise<boolean> {
  const address = orNull(() => addressOf(path))
  if (address === null) return Promise.resolve(false)
  return new Promise<boolean>((resolve) => {
    const socket = connect(address.text)
    socket.once('connect', () => {
      socket.destroy()
      resolve(false)
    })
    socket.once('error', (error) => resolve(hasCode(error, 'ECONNREFUSED')))
  }).finally(address.close)
}

/**
 * Removes a file, if there is one. `rm` would look at it first, and Node 20 keeps the kind of what was looked at last: after a socket
 * it does not follow symbolic links in paths of modules that it loads, and some of them come out empty.
 */
export async function removeFile(path: string): Promise<void> {
  try {
    await unlink(path)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
  }
}
