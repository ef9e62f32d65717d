// Files of the embedded database that were written since they were last brought to the disk. A checkpoint syncs some two hundred
// files one after the other, of which each waits for the disk: 200 to 900 ms in which nothing is indexed. Together they take 80 to
// 130 ms, so the first one of a checkpoint takes all with it. By then the checkpoint has written what it writes.

import { closeSync, fdatasyncSync, openSync } from 'node:fs'

/** As the file system of PGlite has it. */
export interface FileNode {
  readonly name: string
  readonly parent: FileNode
}

export interface UnsyncedFilesParts {
  pathOf(node: FileNode): string
  /** Brings open files to the disk at the same time. Throws when one is not there afterwards. */
  together(files: readonly number[]): void
}

/** With fewer, each goes by itself. */
const MANY = 8
/** The process answers each lot in one of its turns, which may take 20 ms; as many files are open beside those there are. */
const AT_ONCE = 256

/** Each commit syncs the log, and only that. */
const isLog = ({ parent }: FileNode): boolean => parent.name === 'pg_wal'

export class UnsyncedFiles {
  readonly #parts: UnsyncedFilesParts
  readonly #written = new Set<FileNode>()
  /** Brought to the disk with others, and as they were since. */
  readonly #synced = new Set<FileNode>()

  constructor(parts: UnsyncedFilesParts) {
    this.#parts = parts
  }

  changed(node: FileNode): void {
    this.#synced.delete(node)
    if (!isLog(node)) this.#written.add(node)
  }

  /** Throws when the file is not on the disk afterwards. */
  sync(node: FileNode, file: number): void {
    if (this.#written.size >= MANY && this.#written.has(node)) this.#syncAll()
    if (this.#synced.delete(node)) return
    fdatasyncSync(file)
    this.#written.delete(node)
  }

  #syncAll(): void {
    const all = [...this.#written]
    for (let at = 0; at < all.length; at += AT_ONCE) {
      const some = all.slice(at, at + AT_ONCE)
      const opened = this.#open(some)
      if (opened === null) return
      try {
        this.#parts.together(opened)
      } finally {
        for (const file of opened) closeSync(file)
      }
      for (const node of some) {
        this.#written.delete(node)
        this.#synced.add(node)
      }
    }
  }

  /** Those that still exist; null when the process has no room for more open files: each is synced by itself then. */
  #open(nodes: readonly FileNode[]): number[] | null {
    const opened: number[] = []
    for (const node of nodes) {
      try {
        opened.push(openSync(this.#parts.pathOf(node), 'r+'))
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') continue
        for (const file of opened) closeSync(file)
        return null
      }
    }
    return opened
  }
}
