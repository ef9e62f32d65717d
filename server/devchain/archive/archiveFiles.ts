// Two files next to the log: records of steps one after the other, and a list of their offsets. Nothing is synced: damage
// by a loss of power is detected by checksums when it is read.
//
//   head of the list: 8 magic | u32 format | u32 version of the texts
//   entry: u32 seqno | u32 length of its table | u64 offset | 32 hash of the masterchain block | u32 crc32

import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { closeTogether } from '../../process/index.ts'
import { diskFiles, type Files, type LogFile } from '../log/index.ts'
import { ArchiveData, DATA_FILE } from './archiveData.ts'

/** Which names in a chain's folder belong to its archive. */
export const ARCHIVE_FILE = /^transactions\.(list|data)$/
const LIST = 'transactions.list'
const MAGIC = Buffer.from('tonrpcTX')
const FORMAT = 3
const HEAD_BYTES = 16
const ENTRY_BYTES = 52
const SUM_AT = ENTRY_BYTES - 4
/** Pieces of a record are written together up to about this much. */
const WRITE_BYTES = 1024 * 1024
const NOTHING = Buffer.alloc(0)

/** Where a step's record begins, and how much of it is its table. */
export interface ArchivePlace {
  readonly offset: number
  readonly tableBytes: number
}

export interface ListedStep extends ArchivePlace {
  readonly seqno: number
  readonly rootHash: Uint8Array
}

export class ArchiveFiles {
  readonly data: ArchiveData
  readonly #list: LogFile
  readonly #data: LogFile
  /** The list as it was when it was opened, until it is taken. */
  #listed: Buffer
  #listEnd: number
  #dataEnd: number

  private constructor(files: { readonly list: LogFile; readonly data: LogFile }, found: Found) {
    this.#list = files.list
    this.#data = files.data
    this.data = new ArchiveData(files.data)
    this.#listed = found.listed
    this.#listEnd = found.listEnd
    this.#dataEnd = found.dataEnd
  }

  /** Opens the archive of a folder, or begins one: what has texts of another version is made again. */
  static async open(folder: string, textVersion: number, files: Files = diskFiles): Promise<ArchiveFiles> {
    const names = await files.list(folder)
    const open = (name: string) => files.open(join(folder, name), names.includes(name) ? 'write' : 'create')
    const list = await open(LIST)
    let data: LogFile | null = null
    try {
      data = await open(DATA_FILE)
      const head = headOf(textVersion)
      const found = Buffer.alloc(HEAD_BYTES)
      await list.read(found, 0)
      if (!found.equals(head)) {
        await Promise.all([list.truncate(0), data.truncate(0)])
        await list.write(head, 0)
      }
      return new ArchiveFiles({ list, data }, await readList(list, await data.size()))
    } catch (error) {
      await list.close()
      await data?.close()
      throw error
    }
  }

  /** What was listed when the files were opened, once: nothing of it stays in memory. Of two entries for a step the later counts. */
  takeListed(): Iterable<ListedStep> {
    const listed = this.#listed
    this.#listed = NOTHING
    return entriesIn(listed, this.#dataEnd)
  }

  /** Writes the record of a step, its table first, and lists it. One at a time. */
  async append(seqno: number, rootHash: Uint8Array, pieces: readonly Uint8Array[]): Promise<ArchivePlace> {
    const offset = this.#dataEnd
    const tableBytes = pieces[0]?.length ?? 0
    let end = offset
    for (const bytes of joined(pieces)) {
      await this.#data.write(bytes, end)
      end += bytes.length
    }
    const entry = Buffer.alloc(ENTRY_BYTES)
    entry.writeUInt32LE(seqno)
    entry.writeUInt32LE(tableBytes, 4)
    entry.writeBigUInt64LE(BigInt(offset), 8)
    entry.set(rootHash, 16)
    entry.writeUInt32LE(crc32(entry.subarray(0, SUM_AT)), SUM_AT)
    await this.#list.write(entry, this.#listEnd)
    this.#listEnd += ENTRY_BYTES
    this.#dataEnd = end
    return { offset, tableBytes }
  }

  close(): Promise<void> {
    return closeTogether(
      () => this.#list.close(),
      () => this.#data.close(),
    )
  }
}

function headOf(textVersion: number): Buffer {
  const head = Buffer.alloc(HEAD_BYTES)
  head.set(MAGIC)
  head.writeUInt32LE(FORMAT, 8)
  head.writeUInt32LE(textVersion, 12)
  return head
}

function* joined(pieces: readonly Uint8Array[]): Generator<Uint8Array> {
  let waiting: Uint8Array[] = []
  let size = 0
  for (const piece of pieces) {
    waiting.push(piece)
    size += piece.length
    if (size < WRITE_BYTES) continue
    yield Buffer.concat(waiting)
    waiting = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(waiting)
}

interface Found {
  /** Whole entries. */
  readonly listed: Buffer
  readonly listEnd: number
  readonly dataEnd: number
}

async function readList(list: LogFile, dataEnd: number): Promise<Found> {
  const bytes = Buffer.allocUnsafeSlow(await list.size())
  const filled = await list.read(bytes, 0)
  // An entry that was cut short is overwritten by the next one.
  const listEnd = filled - ((filled - HEAD_BYTES) % ENTRY_BYTES)
  return { listed: bytes.subarray(HEAD_BYTES, listEnd), listEnd, dataEnd }
}

function* entriesIn(listed: Buffer, dataEnd: number): Generator<ListedStep> {
  for (let at = 0; at < listed.length; at += ENTRY_BYTES) {
    if (listed.readUInt32LE(at + SUM_AT) !== crc32(listed.subarray(at, at + SUM_AT))) continue
    const seqno = listed.readUInt32LE(at)
    const tableBytes = listed.readUInt32LE(at + 4)
    const offset = Number(listed.readBigUInt64LE(at + 8))
    if (offset + tableBytes > dataEnd) continue
    yield { seqno, offset, tableBytes, rootHash: listed.subarray(at + 16, at + SUM_AT) }
  }
}
