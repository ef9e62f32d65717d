// What the system holds of each connection because the peer has not acknowledged it. Linux lists that; elsewhere it is not known.

import { createReadStream } from 'node:fs'
import { isIPv4, type Socket } from 'node:net'
import { endianness } from 'node:os'
import { ipv6Groups } from '../../access/index.ts'

/** Bytes by connection; those without any are left out. */
export type SendQueues = ReadonlyMap<string, number>

const LISTS = ['/proc/self/net/tcp', '/proc/self/net/tcp6']
/** Some 150,000 connections. */
const MOST_BYTES = 1 << 25
/** Of a line: both ends, the state, and the bytes that are not acknowledged, where there are any. */
const HELD = /: ([0-9A-F]+:[0-9A-F]{4} [0-9A-F]+:[0-9A-F]{4}) [0-9A-F]{2} (?!00000000)([0-9A-F]{8}):/g

async function readList(path: string, queues: Map<string, number>): Promise<void> {
  let rest = ''
  const list: AsyncIterable<string> = createReadStream(path, { encoding: 'latin1', end: MOST_BYTES })
  for await (const part of list) {
    const text = rest + part
    const end = text.lastIndexOf('\n') + 1
    rest = text.slice(end)
    for (const [, ends = '', held = ''] of text.slice(0, end).matchAll(HELD))
      queues.set(ends, Number.parseInt(held, 16))
  }
}

/** Never rejects: what cannot be read is empty. */
export async function readSendQueues(): Promise<SendQueues> {
  const queues = new Map<string, number>()
  if (process.platform !== 'linux') return queues
  await Promise.all(LISTS.map((path) => readList(path, queues).catch(() => undefined)))
  return queues
}

/** Words of 32 bits, each as this machine stores it. */
function wordsOf(groups: readonly number[]): string {
  const bytes = Buffer.from(groups.flatMap((group) => [group >> 8, group & 0xff]))
  return (endianness() === 'LE' ? bytes.swap32() : bytes).toString('hex').toUpperCase()
}

function endOf(address: string, port: number): string {
  const groups = isIPv4(address) ? (ipv6Groups(`::${address}`) ?? []).slice(6) : (ipv6Groups(address) ?? [])
  return `${wordsOf(groups)}:${port.toString(16).toUpperCase().padStart(4, '0')}`
}

/** The name of a connection in the list; null for one that is not of TCP. */
export function connectionName({ localAddress, localPort, remoteAddress, remotePort }: Socket): string | null {
  if (localAddress === undefined || localPort === undefined) return null
  if (remoteAddress === undefined || remotePort === undefined) return null
  return `${endOf(localAddress, localPort)} ${endOf(remoteAddress, remotePort)}`
}
