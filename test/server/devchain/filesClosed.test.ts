// A start that fails leaves no file of its folder open: Node closes them later, and writes warnings about that.

import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { openDevchain } from '../../../server/devchain/index.ts'
import { diskFiles } from '../../../server/devchain/log/files.ts'
import type { Files, LogFile } from '../../../server/devchain/log/index.ts'
import { temporaryFolder } from './devchains.ts'

const still = { idleBlockMs: 3_600_000 }

/** The disk, and which files are open. `altered` may replace what is done with one. */
function counted(altered: (name: string, file: LogFile) => LogFile = (_, file) => file) {
  const open: string[] = []
  const files: Files = {
    ...diskFiles,
    async open(path, mode) {
      const name = basename(path)
      const file = await diskFiles.open(path, mode)
      open.push(name)
      let isOpen = true
      const close = async () => {
        await file.close()
        if (isOpen) open.splice(open.indexOf(name), 1)
        isOpen = false
      }
      return { ...altered(name, file), close }
    },
  }
  return { files, open }
}

test('error: of a fork whose network cannot be read', async () => {
  const { files, open } = counted()
  const folder = await temporaryFolder()
  const chain = () => Promise.reject(new Error('no lite server answers'))
  await expect(openDevchain({ folder, files, fork: { chain }, ...still })).rejects.toThrow('no lite server answers')
  expect(open).toEqual([])
})

test('error: of an archive whose size cannot be read', async () => {
  const { files, open } = counted((name, file) =>
    name === 'transactions.data' ? { ...file, size: () => Promise.reject(new Error('read error')) } : file,
  )
  const said: unknown[] = []
  const log = (line: string) => void said.push(line)
  const chain = await openDevchain({ folder: await temporaryFolder(), files, log, ...still })
  expect(said).toEqual([expect.stringContaining('archive: its files cannot be used')])
  expect(open).not.toContain('transactions.list')
  expect(open).not.toContain('transactions.data')
  await chain.close()
  expect(open).toEqual([])
})
