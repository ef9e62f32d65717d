// The compiled contracts, read once.

import { readFileSync } from 'node:fs'
import { type Cell, readBoc } from '../../cell/index.ts'
import { type CompiledContract, type CompiledFile, type ContractName, compiledPath } from './compiled.ts'

let file: CompiledFile | undefined
const cells = new Map<ContractName, Cell>()

/** Reads what compiling left. Throws an Error that says what to do when there is nothing, or nothing of use. */
export function readCompiled(path: string): CompiledFile {
  try {
    const read: CompiledFile = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof read.contracts !== 'object') throw new TypeError('no contracts in it')
    return read
  } catch (cause) {
    throw new Error(`The compiled contracts are missing (${path}): run \`npm run build\``, { cause })
  }
}

/** The code with its hash and where it comes from. Throws an Error unless `npm run build` has compiled it. */
export function compiledContract(name: ContractName): CompiledContract {
  file ??= readCompiled(compiledPath)
  const contract = file.contracts[name]
  if (contract === undefined)
    throw new Error(`Contract ${name} is not compiled (${compiledPath}): run \`npm run build\``)
  return contract
}

/** The code of a contract. Throws an Error unless `npm run build` has compiled it. */
export function contractCode(name: ContractName): Cell {
  const known = cells.get(name)
  if (known !== undefined) return known
  const code = readBoc(Buffer.from(compiledContract(name).boc, 'base64'))
  cells.set(name, code)
  return code
}
