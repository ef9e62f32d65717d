// Cells that were read from the network, each in a file of its own: lite servers forget old states, and a chain goes on without
// them.

import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { base64Pieces, type Cell, CellError, MAX_DEPTH, NO_CRC, readingBoc, writingBoc } from '../../cell/index.ts'
import { inPieces } from '../../fairness/index.ts'
import { replaceFile } from '../../process/index.ts'

/** Cells of any size are read and written in slices; `share`: whose work that is. */
export interface KeptCells {
  /** Null for what was not kept, or is damaged. */
  read(name: string, share?: string): Promise<Cell | null>
  write(name: string, cell: Cell, share?: string): Promise<void>
}

export const NOT_KEPT: KeptCells = { read: async () => null, write: async () => undefined }

/** A multiple of four, so that each piece is base64 by itself. */
const PIECE = 256 * 1024

function* reading(text: Buffer): Generator<void, Cell> {
  const bytes = Buffer.alloc(Math.ceil((3 * text.length) / 4))
  let used = 0
  for (let at = 0; at < text.length; at += PIECE) {
    used += bytes.write(text.toString('latin1', at, at + PIECE), used, 'base64')
    yield
  }
  return yield* readingBoc(bytes.subarray(0, used), { maxDepth: MAX_DEPTH })
}

function* writing(cell: Cell): Generator<void, string[]> {
  const texts: string[] = []
  for (const piece of base64Pieces(yield* writingBoc(cell, NO_CRC))) {
    texts.push(piece.toString('latin1'))
    yield
  }
  return texts
}

export function keptCells(folder: string): KeptCells {
  // Some hundred files in a folder at most, of many thousands.
  const pathOf = (name: string): string => join(folder, name.slice(-2), name)
  return {
    async read(name, subject) {
      const text = await readFile(pathOf(name)).catch(() => null)
      if (text === null) return null
      try {
        return await inPieces(reading(text), { subject })
      } catch (error) {
        if (error instanceof CellError) return null
        throw error
      }
    },
    write: async (name, cell, subject) => {
      await replaceFile(pathOf(name), await inPieces(writing(cell), { subject }))
    },
  }
}

/** Removes unfinished files of processes that were killed. The caller must be the only writer. Never rejects: they only take disk space. */
export async function removeKeptDrafts(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  for (const name of names)
    if (name.endsWith('.tmp')) await rm(join(folder, name), { force: true }).catch(() => undefined)
}
