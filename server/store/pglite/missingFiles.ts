// Files that were looked for and are not there. With each page it adds to an index PostgreSQL looks for the map of the index's free
// space, which exists only after a vacuum: all parts of its path, a question to the disk and an error took a twentieth of the
// database's time while an index of the chain was made.

import type { FileNode } from './unsyncedFiles.ts'

/** The part of PGlite's file system through which files are found and come to be. */
export interface NamedFiles {
  lookup(folder: FileNode, name: string): unknown
  mknod(folder: FileNode, name: string, ...rest: readonly unknown[]): unknown
  rename(file: FileNode, folder: FileNode, name: string): unknown
}

const isMap = (name: string): boolean => name.endsWith('_fsm')

/** Names in a folder; then it is begun anew. */
const MOST_NAMES = 4_096

/** Remembers maps that are not there until they are made. Only this process may change the folder. */
export function rememberMissing(files: NamedFiles): void {
  const { lookup, mknod, rename } = files
  /** By folder and name: the error with which the file was not found. */
  const missing = new WeakMap<FileNode, Map<string, unknown>>()
  const remember = (folder: FileNode, name: string, error: unknown): void => {
    const known = missing.get(folder)
    if (known === undefined || known.size >= MOST_NAMES) missing.set(folder, new Map([[name, error]]))
    else known.set(name, error)
  }
  files.lookup = (folder, name) => {
    if (!isMap(name)) return lookup(folder, name)
    const known = missing.get(folder)?.get(name)
    if (known !== undefined) throw known
    try {
      return lookup(folder, name)
    } catch (error) {
      if (isNotThere(error)) remember(folder, name, error)
      throw error
    }
  }
  files.mknod = (folder, name, ...rest) => {
    missing.get(folder)?.delete(name)
    return mknod(folder, name, ...rest)
  }
  files.rename = (file, folder, name) => {
    missing.get(folder)?.delete(name)
    return rename(file, folder, name)
  }
}

/** As Emscripten numbers it. */
const NOT_THERE = 44

const isNotThere = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'errno' in error && error.errno === NOT_THERE
