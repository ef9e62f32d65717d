// Reads a list page by page and offers it as a file.

import { counted } from '../../../shared/explorer/counted.ts'
import { friendlyForm } from '../accountNames.ts'
import { reverts, wordsFor } from '../pageClient.ts'
import { saveFile } from '../parts/save.ts'
import { toast } from '../parts/Toast.tsx'
import { type CsvCell, csvOf } from './csv.ts'
import { actionsList, type ListToSave, type SavedActions, type SavedList, transactionsList } from './savedLists.ts'

export type SavedRows = (SavedList & { readonly what: 'transaction' }) | (SavedActions & { readonly what: 'action' })

export interface SavedReading {
  /** By the person, who gets what was read. */
  isStopped: boolean
  /** Nobody waits for it any more. */
  isGone: boolean
}

/** Rows that are read for one file. */
const MOST_READ = 5_000
/** How long a message about it is there. */
const SHOWN_MS = 15_000

interface Read {
  readonly rows: readonly (readonly CsvCell[])[]
  readonly count: number
  readonly hasMore: boolean
}

/** Rejects when the chain was reverted meanwhile: rows of before may never have been. */
async function readAll({ read }: ListToSave, reading: SavedReading, onRead: (count: number) => void): Promise<Read> {
  const rows: (readonly CsvCell[])[] = []
  const chain = reverts.value
  let count = 0
  let cursor: string | null = null
  do {
    const page = await read(cursor ?? undefined)
    if (reverts.value !== chain) throw new Error('the chain was reverted meanwhile')
    rows.push(...page.rows)
    count += page.count
    cursor = page.cursor
    if (!reading.isGone) onRead(count)
  } while (cursor !== null && count < MOST_READ && !reading.isStopped && !reading.isGone)
  return { rows, count, hasMore: cursor !== null }
}

function wordsOf({ rows, count, hasMore }: Read, { what, order }: SavedRows): string {
  if (rows.length === 0 && !hasMore) return 'There is nothing to save.'
  const saved = `Saved ${counted(rows.length, what)}`
  return hasMore ? `${saved}, of the ${count} ${order}. There are more: choose days to save them.` : `${saved}.`
}

export async function saveRows(
  props: SavedRows,
  reading: SavedReading,
  onRead: (count: number) => void,
): Promise<void> {
  const list = props.what === 'transaction' ? transactionsList(props) : actionsList(props)
  try {
    const found = await readAll(list, reading, onRead)
    if (reading.isGone) return
    if (found.rows.length > 0)
      saveFile(`${props.what}s-${friendlyForm(props.raw)}.csv`, csvOf([list.head, ...found.rows]))
    toast(wordsOf(found, props), SHOWN_MS)
  } catch (error) {
    if (!reading.isGone) toast(`Nothing was saved: ${wordsFor(error)}`, SHOWN_MS)
  }
}
