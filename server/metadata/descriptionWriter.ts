// Writes descriptions: those that come during a transaction go into the next one, together.

import { oneAtATime } from '../fairness/index.ts'
import { type MetadataResult, StoreError, writeMetadata } from '../store/index.ts'
import { shownLink } from './fetchError.ts'
import type { MetadataOptions } from './metadataOptions.ts'

type Writer = (result: MetadataResult) => Promise<void>

/** The statement would fail again: it is no trouble of the database. */
const isRefused = (error: unknown): boolean => error instanceof StoreError && error.code === 'failed'

/** A description that the database does not take keeps no other from being written. */
export function createDescriptionWriter({ database, log }: Pick<MetadataOptions, 'database' | 'log'>): Writer {
  let waiting: MetadataResult[] = []
  const write = (results: readonly MetadataResult[]) => database.transaction((sql) => writeMetadata(sql, results))

  async function writeAlone(result: MetadataResult): Promise<void> {
    try {
      await write([result])
    } catch (error) {
      if (!isRefused(error)) throw error
      log.warn({ err: error, uri: shownLink(result.uri) }, 'a description is left out: the database does not take it')
      await write([{ ...result, json: null, retryAt: null }])
    }
  }
  const flush = oneAtATime(async () => {
    const results = waiting
    waiting = []
    try {
      await write(results)
    } catch (error) {
      if (!isRefused(error)) throw error
      for (const result of results) await writeAlone(result)
    }
  })
  return async (result) => {
    waiting.push(result)
    await flush()
  }
}
