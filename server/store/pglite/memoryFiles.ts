// How files get into the memory of PGlite: straight into its file system there. Its own ways look up every part of each path
// several times and copy each file, which took half of the processor time of a start.

import { filesOfArchive } from './unpackArchive.ts'

interface MemoryNode {
  contents: Uint8Array
  usedBytes: number
}

/** What is used of PGlite's module before it runs. */
export interface FilesModule {
  readonly FS: {
    mkdirTree(path: string, mode: number): void
    lookupPath(path: string): { readonly node: MemoryNode }
  }
  readonly MEMFS: { createNode(parent: MemoryNode, name: string, mode: number, device: number): MemoryNode }
  /** Called for each of the files that PGlite comes with. */
  FS_createDataFile: (path: string, name: null, content: Uint8Array) => void
}

const A_FOLDER = 0o040700
const A_FILE = 0o100600
/** As PGlite makes those it comes with. */
const ITS_FILE = 0o100777

/** The folder of a path, and the name in it. */
function parted(path: string): readonly [folder: string, name: string] {
  const cut = path.lastIndexOf('/')
  return [path.slice(0, Math.max(cut, 0)), path.slice(cut + 1)]
}

/** `content` stays in use, as with the files of PGlite itself: the file is changed in it until it grows. */
function addFile(module: FilesModule, place: { parent: MemoryNode; name: string; mode: number }, content: Uint8Array) {
  const node = module.MEMFS.createNode(place.parent, place.name, place.mode, 0)
  node.contents = content
  node.usedBytes = content.length
}

/** The files that PGlite comes with, 700 of them. */
export function addOwnFilesQuickly(module: FilesModule): void {
  const folders = new Map<string, MemoryNode>()
  module.FS_createDataFile = (path, _name, content) => {
    const [folder, name] = parted(path)
    const parent = folders.get(folder) ?? module.FS.lookupPath(folder).node
    folders.set(folder, parent)
    addFile(module, { parent, name, mode: ITS_FILE }, content)
  }
}

/** A database, from an archive that is given away. */
export function addDatabase(module: FilesModule, folder: string, archive: Uint8Array): void {
  module.FS.mkdirTree(folder, 0o700)
  const folders = new Map([['', module.FS.lookupPath(folder).node]])
  for (const { path, content } of filesOfArchive(archive)) {
    const [outer, name] = parted(path)
    const parent = folders.get(outer)
    if (parent === undefined) throw new RangeError(`The archive has no folder ${outer} before ${path}`)
    if (content === null) folders.set(path, module.MEMFS.createNode(parent, name, A_FOLDER, 0))
    else addFile(module, { parent, name, mode: A_FILE }, content)
  }
}
