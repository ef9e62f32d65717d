// Cells that were read from the network, each in a file of its own: lite servers forget old states, and a chain goes on without
// them.

import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Cell, CellError, MAX_DEPTH, NO_CRC, readBoc, writeBoc } from '../../cell/index.ts'
import { replaceFile } from '../../process/index.ts'

export interface KeptCells {
  /** Null for what was not kept, or is damaged. */
  read(name: string): Promise<Cell | null>
  write(name: string, cell: Cell): Promise<void>
}

export const NOT_KEPT: KeptCells = { read: async () => null, write: async () => undefined }

export function keptCells(folder: string): KeptCells {
  // Some hundred files in a folder at most, of many thousands.
  const pathOf = (name: string): string => join(folder, name.slice(-2), name)
  return {
    async read(name) {
      const text = await readFile(pathOf(name), 'latin1').catch(() => null)
      if (text === null) return null
      try {
        return readBoc(Buffer.from(text, 'base64'), { maxDepth: MAX_DEPTH })
      } catch (error) {
        if (error instanceof CellError) return null
        throw error
      }
    },
    write: async (name, cell) => {
      await replaceFile(pathOf(name), Buffer.from(writeBoc(cell, NO_CRC)).toString('base64'))
    },
  }
}

/** Removes unfinished files of processes that were killed. The caller must be the only writer. Never rejects: they only take disk space. */
export async function removeKeptDrafts(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  for (const name of names)
    if (name.endsWith('.tmp')) await rm(join(folder, name), { force: true }).catch(() => undefined)
}
