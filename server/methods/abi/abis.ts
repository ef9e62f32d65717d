import { AbiError, opcodesOf, plainText } from '../../../shared/abi/abi.ts'
import { parseAbi, parseAbiJson } from '../../../shared/abi/parseAbi.ts'
import { isTolk } from '../../../shared/abi/tolk.ts'
import { toRawUpper } from '../../../shared/address.ts'
import type { devNames } from '../../../shared/devNames.ts'
import { ApiError } from '../../../shared/errors.ts'
import { toHex } from '../../../shared/hex.ts'
import { parseHash } from '../../../shared/parseHash.ts'
import { clip } from '../../../shared/primitives.ts'
import type { Params } from '../../../shared/registry.ts'
import type { abisV3 } from '../../../shared/v3/abis.ts'
import { BocError, hashToHex, readBoc } from '../../cell/index.ts'
import { accountsRead, readAll, type Sql } from '../../store/index.ts'
import type { Handlers } from '../call.ts'
import { rawOfKey } from '../keyOfAccount.ts'
import type { AbiBook, AbiEntry } from './abiBook.ts'

/** The code inside of a description, when there is one. */
export function codeHashInAbi(text: string): string | null {
  if (!/^\s*\{/.test(text)) return null
  const value = parseAbiJson(text)
  if (!isTolk(value) || typeof value.code_boc64 !== 'string') return null
  try {
    return hashToHex(readBoc(Buffer.from(value.code_boc64, 'base64')).hash())
  } catch (error) {
    if (error instanceof BocError) return null
    throw error
  }
}

/** A description as it is kept. Throws AbiError. */
export function abiEntryOf(text: string, name?: string): Omit<AbiEntry, 'codeHash'> {
  const abi = parseAbi(text)
  return { name: plainText(name) || abi.name, text, errors: abi.errors, opcodes: opcodesOf(abi) }
}

export const abiHandlers = (book: AbiBook, store: Sql): Handlers<typeof abisV3> => ({
  async 'v3.abis'({ code_hash, address }, call) {
    const accounts =
      address === undefined ? [] : await readAll(store, accountsRead({ accounts: address, bags: false }), call)
    const hashes = [...(code_hash ?? []), ...accounts.flatMap(({ codeHash }) => codeHash ?? [])].map(toHex)
    const entries = await book.entries()
    const isAll = code_hash === undefined && address === undefined
    const wanted = isAll ? [...entries.values()] : [...new Set(hashes)].flatMap((hash) => entries.get(hash) ?? [])
    const named = (address ?? []).map(rawOfKey).flatMap((raw) => {
      const name = book.names.get(raw)
      return name === undefined ? [] : [[raw, name] as const]
    })
    return {
      abis: wanted.map(({ codeHash, name, source, errors, opcodes = {}, text }) => ({
        code_hash: Buffer.from(codeHash, 'hex').toString('base64'),
        name,
        source,
        errors: { ...errors },
        opcodes: { ...opcodes },
        abi: isAll ? null : text,
      })),
      names: Object.fromEntries(isAll ? book.names : named),
    }
  },
})

type ActonParams = Params<(typeof devNames)['acton_registerCompilerAbis']>
type ActonAbi = ActonParams['entries'][number]

function readCodeHash(given: unknown): string {
  const hash = typeof given === 'string' ? parseHash(given) : null
  if (hash === null) throw new AbiError(`${clip(JSON.stringify(given))} is no hash of a code.`)
  return toHex(hash)
}

/** Codes that an ABI as Acton keeps it is of. */
function codesOf(abi: Readonly<Record<string, unknown>>): readonly string[] {
  const { code_hashes: listed, compiler_abi: inner = abi } = abi
  if (Array.isArray(listed) && listed.length > 0) return listed.map(readCodeHash)
  const own = codeHashInAbi(JSON.stringify(inner))
  if (own === null) throw new AbiError('It has neither code_hashes nor the code in it.')
  return [own]
}

function entriesOfActon({ abi, code_hash, compiler_abi }: ActonAbi): readonly AbiEntry[] {
  const given = abi ?? compiler_abi
  if (given === undefined || (abi !== undefined && compiler_abi !== undefined))
    throw new AbiError('It needs abi, or code_hash and compiler_abi.')
  const codes = code_hash === undefined ? codesOf(given) : [readCodeHash(code_hash)]
  const entry = abiEntryOf(JSON.stringify(given))
  return [...new Set(codes)].map((codeHash) => ({ codeHash, ...entry }))
}

async function registerAbis(book: AbiBook, { entries }: ActonParams): Promise<null> {
  const read = entries.flatMap((one, i) => {
    try {
      return entriesOfActon(one)
    } catch (error) {
      if (!(error instanceof AbiError)) throw error
      throw new ApiError('invalidParams', `entries[${i}]: ${error.message}`, { param: 'entries' }, { cause: error })
    }
  })
  await book.setAbis(read)
  return null
}

type ActonForm = Record<string, unknown>

/** An ABI as Acton keeps it; null for one that it has no form for. */
function abiForActon({ codeHash, text }: AbiEntry): ActonForm | null {
  if (text === null || !/^\s*\{/.test(text)) return null
  const value = parseAbiJson(text)
  if (isTolk(value)) return { compiler_abi: value, code_hashes: [codeHash], links: [] }
  if (typeof value !== 'object' || value === null || !('compiler_abi' in value)) return null
  return { code_hashes: [codeHash], links: [], ...value }
}

async function abisForActon(book: AbiBook, hashes: readonly string[]): Promise<ReadonlyMap<string, ActonForm | null>> {
  const entries = await book.entries()
  const known = [...new Set(hashes)].flatMap((hash) => entries.get(hash) ?? [])
  return new Map(known.map((entry) => [entry.codeHash, abiForActon(entry)]))
}

export const nameHandlers = (book: AbiBook): Handlers<typeof devNames> => ({
  async 'dev.setName'({ address, name }) {
    await book.setName(toRawUpper(address), plainText(name) || null)
    return book.count()
  },

  async 'dev.setAbi'({ code_hash, abi, name }) {
    const text = typeof abi === 'string' ? abi : JSON.stringify(abi)
    try {
      const hash = code_hash === undefined ? codeHashInAbi(text) : toHex(code_hash)
      if (hash === null)
        throw new ApiError('invalidParams', 'code_hash is needed: this ABI has no code in it', { param: 'code_hash' })
      await book.setAbi(hash, text.trim() === '' ? null : abiEntryOf(text, name))
    } catch (error) {
      if (!(error instanceof AbiError)) throw error
      throw new ApiError('invalidParams', `abi: ${error.message}`, { param: 'abi' }, { cause: error })
    }
    return book.count()
  },

  async acton_setAddressName({ address, name }) {
    await book.setName(toRawUpper(address), plainText(name) || null)
    return null
  },

  acton_getAddressName({ address }) {
    return Object.fromEntries(address.map(({ text, found }) => [text, book.names.get(rawOfKey(found)) ?? null]))
  },

  async acton_getCompilerAbi({ code_hash }) {
    const asked = code_hash.map(({ text, found }) => ({ text, hash: toHex(found) }))
    const abis = await abisForActon(
      book,
      asked.map(({ hash }) => hash),
    )
    return Object.fromEntries(asked.map(({ text, hash }) => [text, abis.get(hash) ?? null]))
  },

  acton_registerCompilerAbis: (params) => registerAbis(book, params),

  acton_registerCompilerAbi: (params) => registerAbis(book, params),
})
