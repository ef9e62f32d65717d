// Maps of free space that are not there are looked for once, until they are made.

import { constants } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type NamedFiles, rememberMissing } from '../../../server/store/pglite/missingFiles.ts'
import type { FileNode } from '../../../server/store/pglite/unsyncedFiles.ts'

const top: FileNode = {
  name: '/',
  mode: constants.S_IFDIR,
  get parent() {
    return top
  },
}
const folder: FileNode = { name: 'base', parent: top, mode: constants.S_IFDIR }
const other: FileNode = { name: 'other', parent: top, mode: constants.S_IFDIR }

/** A file system that counts how often it is asked, as PGlite has it: what is not there is an error. */
function remembering(errno = 44) {
  const there = new Set<string>()
  const asked: string[] = []
  const at = ({ name: outer }: FileNode, name: string): string => `${outer}/${name}`
  const files: NamedFiles = {
    lookup(parent, name) {
      asked.push(at(parent, name))
      if (!there.has(at(parent, name))) throw Object.assign(new Error('not there'), { errno })
      return name
    },
    mknod: (parent, name) => there.add(at(parent, name)),
    rename: (_, parent, name) => there.add(at(parent, name)),
  }
  rememberMissing(files)
  return { files, asked }
}

describe('a map of free space', () => {
  test('that is not there is looked for once in each folder', () => {
    const { files, asked } = remembering()
    for (let i = 0; i < 3; i++)
      for (const parent of [folder, other]) expect(() => files.lookup(parent, '16384_fsm')).toThrow('not there')
    expect(asked).toEqual(['base/16384_fsm', 'other/16384_fsm'])
  })

  test('is found once it is made, or another file has its name', () => {
    const { files } = remembering()
    for (const name of ['1_fsm', '2_fsm']) expect(() => files.lookup(folder, name)).toThrow('not there')
    files.mknod(folder, '1_fsm')
    files.rename({ name: 'draft', parent: folder, mode: constants.S_IFREG }, folder, '2_fsm')
    expect([files.lookup(folder, '1_fsm'), files.lookup(folder, '2_fsm')]).toEqual(['1_fsm', '2_fsm'])
  })

  test('is looked for again after any other failure, and so is every other file', () => {
    const failing = remembering(29)
    const { files, asked } = remembering()
    for (let i = 0; i < 2; i++) {
      expect(() => failing.files.lookup(folder, '1_fsm')).toThrow()
      expect(() => files.lookup(folder, '1')).toThrow()
    }
    expect([failing.asked.length, asked.length]).toEqual([2, 2])
  })
})
