// A sign of life that reaches across containers, whose processes cannot see each other: a socket in the folder, which the
// system answers for as long as its process lives, however busy that is, and not an instant longer.

import { unlink } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { hasCode } from './systemErrors.ts'

/** What the address of such a socket may hold, on every system. */
const MOST_BYTES = 100

/** Begins to answer at `path`; null where that cannot be had. The function ends it. */
export function lightBeacon(path: string): Promise<(() => Promise<void>) | null> {
  if (process.platform === 'win32' || Buffer.byteLength(path) > MOST_BYTES) return Promise.resolve(null)
  const server = createServer((socket) => socket.destroy()).unref()
  const end = () => new Promise<void>((resolve) => void server.close(() => resolve()))
  return new Promise((resolve) => {
    server.on('error', () => resolve(null))
    // By itself also in a cluster, whose workers would share one socket.
    server.listen({ path, exclusive: true }, () => resolve(end))
  })
}

/** Whether the socket at `path` is surely dead: it exists and refuses connections. */
export function isBeaconOut(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(false)
    })
    socket.once('error', (error) => resolve(hasCode(error, 'ECONNREFUSED')))
  })
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
