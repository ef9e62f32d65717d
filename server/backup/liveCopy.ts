// Copies a folder whose files are being written. Several passes copy what changed since the one before; the last one runs while
// the owner writes nothing, so that it is short however large the folder is.

import { constants } from 'node:fs'
import { copyFile, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../process/index.ts'

export interface LiveFolder {
  readonly from: string
  readonly to: string
  /** Whether a file or folder belongs to the copy. */
  readonly includes?: (name: string) => boolean
  /** The order in which the files of one folder are copied. */
  readonly order?: (names: readonly string[]) => readonly string[]
  /** Runs the last pass while nothing is written. Without it there is one pass. */
  readonly standstill?: (work: () => Promise<void>) => Promise<void>
}

/** Passes before the last one end when one of them copied no more than this. */
const SMALL_BYTES = 8 << 20
const MOST_PASSES = 4
/** Clocks of file systems are coarse: a file changed this recently may change again without a new time. */
const UNSURE_MS = 2_000

interface Pass {
  /** What is known of each file that was copied: copied again when it differs. */
  readonly stamps: Map<string, string>
  readonly seen: Set<string>
  readonly signal: AbortSignal
  bytes: number
}

export async function copyLive(folder: LiveFolder, signal: AbortSignal): Promise<void> {
  const stamps = new Map<string, string>()
  const pass = async (): Promise<number> => {
    const state: Pass = { stamps, seen: new Set(), signal, bytes: 0 }
    await copyChanged(folder, '', state)
    for (const path of [...stamps.keys()]) {
      if (state.seen.has(path)) continue
      stamps.delete(path)
      await rm(join(folder.to, path), { force: true })
    }
    return state.bytes
  }
  let bytes = await pass()
  if (folder.standstill === undefined) return
  for (let passes = 1; passes < MOST_PASSES && bytes > SMALL_BYTES; passes++) bytes = await pass()
  await folder.standstill(async () => void (await pass()))
}

async function copyChanged(folder: LiveFolder, within: string, pass: Pass): Promise<void> {
  const { includes = () => true, order = (names) => names } = folder
  const source = join(folder.from, within)
  await mkdir(join(folder.to, within), { recursive: true, mode: 0o700 })
  const entries = (await readdir(source, { withFileTypes: true })).filter(({ name }) => includes(name))
  for (const entry of entries)
    if (entry.isDirectory()) await copyChanged(folder, join(within, entry.name), pass).catch(unlessGone)
  const names: string[] = []
  for (const entry of entries)
    if (entry.isFile() || (entry.isSymbolicLink() && (await leadsToFile(join(source, entry.name)))))
      names.push(entry.name)
  for (const name of order(names)) {
    pass.signal.throwIfAborted()
    await copyOne(folder, join(within, name), pass).catch(unlessGone)
  }
}

/** The service follows such a link, as to a file of keys that lies elsewhere: the copy has what it leads to. */
async function leadsToFile(link: string): Promise<boolean> {
  try {
    return (await stat(link)).isFile()
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) return false
    throw error
  }
}

async function copyOne({ from, to }: LiveFolder, path: string, pass: Pass): Promise<void> {
  const { size, mtimeNs, ctimeNs, ino, mtimeMs } = await stat(join(from, path), { bigint: true })
  const stamp = [size, mtimeNs, ctimeNs, ino].join()
  pass.seen.add(path)
  if (pass.stamps.get(path) === stamp) return
  // Shares the blocks where the file system can.
  await copyFile(join(from, path), join(to, path), constants.COPYFILE_FICLONE)
  pass.bytes += Number(size)
  const isSure = Math.abs(Date.now() - Number(mtimeMs)) > UNSURE_MS
  pass.stamps.set(path, isSure ? stamp : '')
}

function unlessGone(error: unknown): void {
  if (!hasCode(error, 'ENOENT')) throw error
}
