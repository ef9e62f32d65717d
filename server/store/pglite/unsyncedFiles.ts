// Files of the embedded database that were written since they were last brought to the disk. A checkpoint syncs some two hundred
// files one after the other, of which each waits for the disk: 200 to 900 ms in which nothing is indexed. Several at once take a part
// of that, so the first one of a checkpoint takes all with it. By then the checkpoint has written what it writes.
// After a kill PostgreSQL syncs all files it finds, eight hundred and each twice, before it begins: 1.4 s one after the other.

import { closeSync, constants, fdatasyncSync, readdirSync } from 'node:fs'
import { join, normalize } from 'node:path'
import { isUnsyncedFolder } from '../../process/index.ts'

/** As the file system of PGlite has it. */
export interface FileNode {
  readonly name: string
  readonly parent: FileNode
  /** As POSIX has it. */
  readonly mode: number
}

export interface UnsyncedFilesParts {
  pathOf(node: FileNode): string
  /** Throws the error of the system. */
  open(path: string): number
  /** The process answers each lot in one of its turns, which may take 20 ms; as many files are open beside those there are. */
  readonly atOnce: number
  /** Brings open files to the disk at the same time. Throws when one is not there afterwards. */
  together(files: readonly number[]): void
}

/** With fewer, each goes by itself. */
const MANY = 8
/** Each commit syncs the log, and only that. */
const isLog = ({ parent }: FileNode): boolean => parent.name === 'pg_wal'

const isFolder = ({ mode }: FileNode): boolean => (mode & constants.S_IFMT) === constants.S_IFDIR

/** Written before PostgreSQL looks whether it was killed. */
const isTop = ({ parent }: FileNode): boolean => parent.parent === parent

function syncOne(node: FileNode, file: number): void {
  try {
    fdatasyncSync(file)
  } catch (error) {
    if (!isFolder(node) || !isUnsyncedFolder(error)) throw error
  }
}

const NONE: ReadonlySet<string> = new Set()

export class UnsyncedFiles {
  readonly #parts: UnsyncedFilesParts
  readonly #written = new Set<FileNode>()
  /** Brought to the disk with others, and as they were since. */
  readonly #synced = new Set<FileNode>()
  /** Files as they were found, brought to the disk; null before. */
  #found: ReadonlySet<string> | null = null

  constructor(parts: UnsyncedFilesParts) {
    this.#parts = parts
  }

  changed(node: FileNode): void {
    this.#synced.delete(node)
    // Begun: none of them may be as it was found any more.
    if (this.#found !== NONE && !isTop(node)) this.#found = NONE
    if (!isLog(node)) this.#written.add(node)
  }

  /** Throws when the file is not on the disk afterwards. */
  sync(node: FileNode, file: number): void {
    if (this.#written.size >= MANY && this.#written.has(node)) this.#syncAll()
    if (this.#synced.delete(node)) return
    if (this.#found !== NONE && !this.#written.has(node)) {
      this.#found ??= this.#syncFound(node)
      // On Windows names are joined with / by PGlite, and with \ by Node.
      if (this.#found.has(normalize(this.#parts.pathOf(node)))) return
    }
    syncOne(node, file)
    this.#written.delete(node)
  }

  #syncAll(): void {
    const all = [...this.#written]
    this.#syncLots(
      all.map((node) => this.#parts.pathOf(node)),
      (begin, end) => {
        for (const node of all.slice(begin, end)) {
          this.#written.delete(node)
          this.#synced.add(node)
        }
      },
    )
  }

  /** All files of the database that `node` belongs to. */
  #syncFound(node: FileNode): ReadonlySet<string> {
    let top = node
    while (top.parent !== top) top = top.parent
    const all = readdirSync(this.#parts.pathOf(top), { recursive: true, withFileTypes: true })
    const paths = all.filter((one) => one.isFile()).map(({ parentPath, name }) => join(parentPath, name))
    return this.#syncLots(paths) ? new Set(paths) : NONE
  }

  /** False when one cannot be opened, as where the process has no room for another file: the rest are synced by themselves. */
  #syncLots(paths: readonly string[], onSynced?: (begin: number, end: number) => void): boolean {
    for (let begin = 0; begin < paths.length; ) {
      const { opened, count } = this.#open(paths.slice(begin, begin + this.#parts.atOnce))
      if (count === 0) return false
      try {
        this.#parts.together(opened)
      } finally {
        for (const file of opened) closeSync(file)
      }
      onSynced?.(begin, begin + count)
      begin += count
    }
    return true
  }

  /** Those that still exist, of as many of the first ones as the process has room for. */
  #open(paths: readonly string[]): { readonly opened: readonly number[]; readonly count: number } {
    const opened: number[] = []
    for (const [count, path] of paths.entries()) {
      try {
        opened.push(this.#parts.open(path))
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) return { opened, count }
      }
    }
    return { opened, count: paths.length }
  }
}
