// Compiled contracts of one file, read once.

import { readFileSync } from 'node:fs'
import { type Cell, readBoc } from '../../cell/index.ts'
import { diskFailure, hasCode } from '../../process/index.ts'
import { type CompiledContract, type CompiledFile, type ContractName, compiledPath } from './compiled.ts'

export interface ContractCodes<Name extends string> {
  /** The code with its hash and where it comes from. Throws an Error unless `npm run build` has compiled it. */
  compiledContract(name: Name): CompiledContract
  /** The code of a contract. Throws an Error unless `npm run build` has compiled it. */
  contractCode(name: Name): Cell
}

/** Reads the compiled contracts. Throws an Error with the remedy when they are missing or unusable. */
export function readCompiled(path: string): CompiledFile {
  try {
    const read: CompiledFile = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof read.contracts !== 'object') throw new TypeError('no contracts in it')
    return read
  } catch (cause) {
    const why = hasCode(cause, 'EMFILE') ? diskFailure(cause) : null
    if (why !== null) throw new Error(`The compiled contracts cannot be read (${path}): ${why}`, { cause })
    throw new Error(`The compiled contracts are missing (${path}): run \`npm run build\``, { cause })
  }
}

/** The contracts of a file; it is read when the first of them is needed. */
export function contractCodes<Name extends string>(path: string): ContractCodes<Name> {
  let file: CompiledFile | undefined
  const cells = new Map<Name, Cell>()
  function compiledContract(name: Name): CompiledContract {
    file ??= readCompiled(path)
    const contract = file.contracts[name]
    if (contract === undefined) throw new Error(`Contract ${name} is not compiled (${path}): run \`npm run build\``)
    return contract
  }
  return {
    compiledContract,
    contractCode(name) {
      const known = cells.get(name)
      if (known !== undefined) return known
      const code = readBoc(Buffer.from(compiledContract(name).boc, 'base64'))
      cells.set(name, code)
      return code
    },
  }
}

/** Contracts a chain is born with, and wallets of every kind. */
export const { compiledContract, contractCode } = contractCodes<ContractName>(compiledPath)
