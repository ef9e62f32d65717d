// Which files a checkpoint of the embedded database brings to the disk, and which of them at once.

import { closeSync, constants, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { devNull, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { type FileNode, UnsyncedFiles } from '../../../server/store/pglite/unsyncedFiles.ts'

const folder = mkdtempSync(join(tmpdir(), 'tonrpc-unsynced-'))
afterAll(() => rmSync(folder, { recursive: true }))

const { S_IFDIR, S_IFREG } = constants

const top: FileNode = {
  name: '/',
  mode: S_IFDIR,
  get parent() {
    return top
  },
}
const base: FileNode = { name: 'base', parent: top, mode: S_IFDIR }
const log: FileNode = { name: 'pg_wal', parent: top, mode: S_IFDIR }

function filesOf(parent: FileNode, count: number): FileNode[] {
  return Array.from({ length: count }, (_, i) => {
    const name = `${parent.name}-${i}`
    writeFileSync(join(folder, name), 'page')
    return { name, parent, mode: S_IFREG }
  })
}

const open = (path: string): number => openSync(path, 'r+')

/** Opens as many at once as the process has room for; `closed` gives their room back. */
function openFew(room: number) {
  let isOpen = 0
  return {
    open(path: string): number {
      if (isOpen === room) throw Object.assign(new Error('too many open files'), { code: 'EMFILE' })
      isOpen++
      return open(path)
    },
    closed(count: number): void {
      isOpen -= count
    },
  }
}

function watched(fails = false) {
  const sizes: number[] = []
  const unsynced = new UnsyncedFiles({
    pathOf: ({ name }) => join(folder, name),
    open,
    atOnce: 256,
    together(files) {
      sizes.push(files.length)
      if (fails) throw new Error('no such disk')
    },
  })
  return { unsynced, sizes }
}

/** A closed file cannot be synced by itself: it throws. */
function closedFile(): number {
  const file = openSync(join(folder, 'closed'), 'w')
  closeSync(file)
  return file
}

describe('files that were written', () => {
  test('go to the disk with the first of them, and are not synced again until they change', () => {
    const { unsynced, sizes } = watched()
    const files = filesOf(base, 100)
    for (const node of files) unsynced.changed(node)
    const closed = closedFile()
    for (const node of files) unsynced.sync(node, closed)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(100)
    const [first] = files
    if (first === undefined) throw new Error('no file')
    unsynced.changed(first)
    expect(() => unsynced.sync(first, closed)).toThrow('EBADF')
  })

  test('change again after they went along with others, and are synced for that', () => {
    const { unsynced } = watched()
    const [first, second, ...rest] = filesOf(base, 20)
    if (first === undefined || second === undefined) throw new Error('no file')
    for (const node of [first, second, ...rest]) unsynced.changed(node)
    unsynced.sync(first, closedFile())
    unsynced.changed(second)
    expect(() => unsynced.sync(second, closedFile())).toThrow('EBADF')
  })

  test('are passed over when they are gone, and a failure is told', () => {
    const { unsynced, sizes } = watched()
    const files = filesOf(base, 10)
    for (const node of files) unsynced.changed(node)
    rmSync(join(folder, 'base-3'))
    const [first] = files
    if (first === undefined) throw new Error('no file')
    unsynced.sync(first, closedFile())
    expect(sizes).toEqual([9])
    const broken = watched(true)
    for (const node of files) broken.unsynced.changed(node)
    expect(() => broken.unsynced.sync(first, closedFile())).toThrow('no such disk')
  })

  test('the log is synced by itself at each commit', () => {
    const { unsynced, sizes } = watched()
    for (const node of filesOf(base, 10)) unsynced.changed(node)
    const [segment] = filesOf(log, 1)
    if (segment === undefined) throw new Error('no file')
    unsynced.changed(segment)
    const file = openSync(join(folder, segment.name), 'r+')
    unsynced.sync(segment, file)
    unsynced.sync(segment, file)
    closeSync(file)
    expect(sizes).toEqual([])
  })

  test('a folder that the system cannot sync is passed over, a file is not', () => {
    const { unsynced } = watched()
    const [file] = filesOf(base, 1)
    if (file === undefined) throw new Error('no file')
    for (const node of [log, file]) unsynced.changed(node)
    const unsyncable = openSync(devNull, 'r')
    unsynced.sync(log, unsyncable)
    expect(() => unsynced.sync(file, unsyncable)).toThrow('fdatasync')
    closeSync(unsyncable)
  })
})

describe('files that are found at the start', () => {
  const inFolder = (few = openFew(Number.POSITIVE_INFINITY), betweenNames = '/') => {
    const own = mkdtempSync(join(folder, 'found-'))
    const sub = join(own, 'base')
    mkdirSync(sub)
    for (let i = 0; i < 300; i++) writeFileSync(join(sub, `${i}`), 'page')
    writeFileSync(join(own, 'version'), '15')
    const root: FileNode = {
      mode: S_IFDIR,
      name: '/',
      get parent() {
        return root
      },
    }
    const base: FileNode = { name: 'base', parent: root, mode: S_IFDIR }
    const nodes = Array.from({ length: 300 }, (_, i): FileNode => ({ name: `${i}`, parent: base, mode: S_IFREG }))
    const sizes: number[] = []
    const path = (node: FileNode): string =>
      node.parent === node ? own : `${path(node.parent)}${betweenNames}${node.name}`
    const together = (files: readonly number[]): void => {
      sizes.push(files.length)
      few.closed(files.length)
    }
    const unsynced = new UnsyncedFiles({ pathOf: path, open: few.open, atOnce: 256, together })
    return {
      unsynced,
      sizes,
      base,
      nodes,
      version: { name: 'version', parent: root, mode: S_IFREG } satisfies FileNode,
    }
  }

  test('go to the disk together, once, however often each is synced', () => {
    const { unsynced, sizes, nodes, version } = inFolder()
    const closed = closedFile()
    unsynced.changed(version)
    expect(() => unsynced.sync(version, closed)).toThrow('EBADF')
    for (const _ of [1, 2]) for (const node of nodes) unsynced.sync(node, closed)
    expect(sizes).toEqual([256, 45])
  })

  test('are known by their paths, however these are written', () => {
    const { unsynced, sizes, nodes } = inFolder(openFew(300), '//')
    for (const node of nodes.slice(0, 2)) unsynced.sync(node, closedFile())
    expect(sizes).toEqual([256, 45])
  })

  test('go together as many at once as the process has room for, and by themselves where it has none', () => {
    const some = inFolder(openFew(120))
    const closed = closedFile()
    for (const node of some.nodes) some.unsynced.sync(node, closed)
    expect(some.sizes).toEqual([120, 120, 61])
    const none = inFolder(openFew(0))
    for (const node of none.nodes) expect(() => none.unsynced.sync(node, closed)).toThrow('EBADF')
    expect(none.sizes).toEqual([])
  })

  test('are synced by themselves once any of them was written, and so are folders', () => {
    const { unsynced, nodes, base } = inFolder()
    const [first, second] = nodes
    if (first === undefined || second === undefined) throw new Error('no file')
    const closed = closedFile()
    unsynced.sync(first, closed)
    expect(() => unsynced.sync(base, closed)).toThrow('EBADF')
    unsynced.changed(first)
    expect(() => unsynced.sync(first, closed)).toThrow('EBADF')
    expect(() => unsynced.sync(second, closed)).toThrow('EBADF')
  })

  test('are left alone by a database that writes before it syncs', () => {
    const { unsynced, sizes, nodes } = inFolder()
    const [first, second] = nodes
    if (first === undefined || second === undefined) throw new Error('no file')
    unsynced.changed(first)
    expect(() => unsynced.sync(second, closedFile())).toThrow('EBADF')
    expect(sizes).toEqual([])
  })
})
