// Files of the embedded database that were written since they were last brought to the disk. A checkpoint syncs some two hundred
// files one after the other, of which each waits for the disk: 200 to 900 ms in which nothing is indexed. Several at once take a part
// of that, so the first one of a checkpoint takes all with it. By then the checkpoint has written what it writes.
// After a kill PostgreSQL syncs all files it finds, eight hundred and each twice, before it begins: 1.4 s one after the other.

import { closeSync, fdatasyncSync, openSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** As the file system of PGlite has it. */
export interface FileNode {
  readonly name: string
  readonly parent: FileNode
}

export interface UnsyncedFilesParts {
  pathOf(node: FileNode): string
  /** The process answers each lot in one of its turns, which may take 20 ms; as many files are open beside those there are. */
  readonly atOnce: number
  /** Brings open files to the disk at the same time. Throws when one is not there afterwards. */
  together(files: readonly number[]): void
}

/** With fewer, each goes by itself. */
const MANY = 8
/** Each commit syncs the log, and only that. */
const isLog = ({ parent }: FileNode): boolean => parent.name === 'pg_wal'

/** Written before PostgreSQL looks whether it was killed. */
const isTop = ({ parent }: FileNode): boolean => parent.parent === parent

const NONE: ReadonlySet<string> = new Set()

const lotsOf = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size))

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
      if (this.#found.has(this.#parts.pathOf(node))) return
    }
    fdatasyncSync(file)
    this.#written.delete(node)
  }

  #syncAll(): void {
    for (const some of lotsOf([...this.#written], this.#parts.atOnce)) {
      if (!this.#syncLot(some.map((node) => this.#parts.pathOf(node)))) return
      for (const node of some) {
        this.#written.delete(node)
        this.#synced.add(node)
      }
    }
  }

  /** All files of the database that `node` belongs to. */
  #syncFound(node: FileNode): ReadonlySet<string> {
    let top = node
    while (top.parent !== top) top = top.parent
    const all = readdirSync(this.#parts.pathOf(top), { recursive: true, withFileTypes: true })
    const paths = all.filter((one) => one.isFile()).map(({ parentPath, name }) => join(parentPath, name))
    return lotsOf(paths, this.#parts.atOnce).every((some) => this.#syncLot(some)) ? new Set(paths) : NONE
  }

  /** False when the process has no room for more open files: each is synced by itself then. */
  #syncLot(paths: readonly string[]): boolean {
    const opened = this.#open(paths)
    if (opened === null) return false
    try {
      this.#parts.together(opened)
    } finally {
      for (const file of opened) closeSync(file)
    }
    return true
  }

  /** Those that still exist. */
  #open(paths: readonly string[]): number[] | null {
    const opened: number[] = []
    for (const path of paths) {
      try {
        opened.push(openSync(path, 'r+'))
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') continue
        for (const file of opened) closeSync(file)
        return null
      }
    }
    return opened
  }
}
