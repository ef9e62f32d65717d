// The names and descriptions of contracts this service was given, kept in the data folder.

import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { AbiBook, type GivenNames } from '../methods/index.ts'
import type { Log } from '../observe/index.ts'
import { hasCode, replaceFile } from '../process/index.ts'
import { openAbiFiles } from './abiFiles.ts'
import type { Config } from './settings.ts'

const NOTHING: GivenNames = { names: {}, abis: [] }

async function readGiven(path: string, log: Log): Promise<GivenNames> {
  try {
    // The cast: this program writes the file.
    return { ...NOTHING, ...(JSON.parse(await readFile(path, 'utf8')) as Partial<GivenNames>) }
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) log.warn({ path, err: error }, 'names file skipped: it cannot be read')
    return NOTHING
  }
}

export async function openAbiBook(config: Pick<Config, 'abi' | 'data' | 'reset'>, log: Log): Promise<AbiBook> {
  const path = join(config.data, 'names.json')
  if (config.reset) await rm(path, { force: true })
  let written: Promise<void> = Promise.resolve()
  return new AbiBook({
    given: await readGiven(path, log),
    ...(config.abi === '' ? {} : { files: openAbiFiles(config.abi, log) }),
    save(given) {
      // One after the other: the last state is the one that stays.
      written = written.catch(() => undefined).then(() => replaceFile(path, JSON.stringify(given)))
      return written
    },
  })
}
