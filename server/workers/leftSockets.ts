// Sockets of relays whose process was killed: the system leaves their files behind.

import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { hasProcess, isBeaconOut, removeFile } from '../process/index.ts'

const NAME = /^tonrpc-(\d{1,10})-[0-9a-f]{8}\.sock$/

/** Removes those next to `path`. One whose process is in another container answers, and stays. */
export async function removeLeftSockets(path: string): Promise<void> {
  const folder = dirname(path)
  for (const name of await readdir(folder)) {
    const pid = NAME.exec(name)?.[1]
    if (pid === undefined || hasProcess(Number(pid))) continue
    const left = join(folder, name)
    // Another user's stays too.
    if (await isBeaconOut(left)) await removeFile(left).catch(() => undefined)
  }
}
