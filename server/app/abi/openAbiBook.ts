// The names and descriptions of contracts this service was given, kept in the data folder.

import { existsSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { inSlices, lightInSlices } from '../../fairness/index.ts'
import { AbiBook, type GivenNames } from '../../methods/index.ts'
import type { Log } from '../../observe/index.ts'
import { failureText, hasCode, replaceFile } from '../../process/index.ts'
import type { Config } from '../settings/settings.ts'
import { openAbiFiles } from './abiFiles.ts'

const NAMES = 'names.json'

const Words = z.record(z.string(), z.string())
const KeptName = z.tuple([z.string(), z.string()])
const KeptAbi = z.object({
  codeHash: z.string(),
  name: z.string(),
  text: z.string().nullable(),
  errors: Words,
  opcodes: Words.exactOptional(),
})
/** Its parts are checked one by one: one that is damaged costs no other. */
const KeptFile = z.object({ names: z.record(z.string(), z.unknown()), abis: z.array(z.unknown()) })

interface Read {
  readonly given: GivenNames
  /** How many entries of the file cannot be read; 1 for a file that cannot be read at all. */
  readonly damaged: number
}

const NOTHING: GivenNames = { names: {}, abis: [] }

const good = <T>(schema: z.ZodType<T>, all: readonly unknown[]): readonly T[] =>
  all.flatMap((one) => {
    const { success, data } = schema.safeParse(one)
    return success ? [data] : []
  })

function readText(text: string): Read {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { given: NOTHING, damaged: 1 }
  }
  const { success, data } = KeptFile.safeParse(value)
  if (!success) return { given: NOTHING, damaged: 1 }
  const all = Object.entries(data.names)
  const names = good(KeptName, all)
  const abis = good(KeptAbi, data.abis)
  const damaged = all.length - names.length + data.abis.length - abis.length
  return { given: { names: Object.fromEntries(names), abis }, damaged }
}

/** Throws for a file that cannot be read: the first name given would replace it. */
async function readGiven(path: string, log: Log): Promise<GivenNames> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return NOTHING
    throw new Error(`the names that calls gave cannot be read: ${failureText(error)}`, { cause: error })
  }
  const { given, damaged } = readText(text)
  if (damaged === 0) return given
  const kept = `${path}.damaged-${Date.now()}`
  await replaceFile(kept, text)
  await replaceFile(path, JSON.stringify(given))
  const left = { names: Object.keys(given.names).length, abis: given.abis.length }
  log.warn({ path, kept, ...left }, 'the file of names is damaged: it is kept beside, and what is whole in it is used')
  return given
}

const SLICING = { subject: 'names' }

/** In parts: descriptions may have 32 MB. */
async function textsOf({ names, abis }: GivenNames): Promise<string[]> {
  const member = ([raw, name]: [string, string]) => `${JSON.stringify(raw)}:${JSON.stringify(name)}`
  const named = await lightInSlices(Object.entries(names), member, SLICING)
  const described = await inSlices(abis, (one) => JSON.stringify(one), SLICING)
  const listed = described.map((text, i) => (i === 0 ? text : `,${text}`))
  return [`{"names":{${named.join()}},"abis":[`, ...listed, ']}']
}

/** While a state is being written, those after it share the next write: the last one is the one that stays. */
function lastWrite(path: string): (given: GivenNames) => Promise<void> {
  let last: GivenNames = NOTHING
  let writing: Promise<void> = Promise.resolve()
  let next: Promise<void> | null = null
  return (given) => {
    last = given
    next ??= writing
      .catch(() => undefined)
      .then(() => {
        next = null
        writing = textsOf(last).then((texts) => replaceFile(path, texts))
        return writing
      })
    return next
  }
}

/** With those that were damaged. */
async function removeNames(folder: string): Promise<void> {
  const found = existsSync(folder) ? await readdir(folder) : []
  for (const name of found)
    if (name === NAMES || name.startsWith(`${NAMES}.damaged-`)) await rm(join(folder, name), { force: true })
}

type BookConfig = Pick<Config, 'abi' | 'data' | 'network' | 'reset'>

export async function openAbiBook(config: BookConfig, log: Log): Promise<AbiBook> {
  const path = join(config.data, NAMES)
  if (config.reset && config.network === 'devnet') await removeNames(config.data)
  return new AbiBook({
    given: await readGiven(path, log),
    ...(config.abi === '' ? {} : { files: openAbiFiles(config.abi, log) }),
    save: lastWrite(path),
  })
}
