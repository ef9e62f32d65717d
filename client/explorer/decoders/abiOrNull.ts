import { type Abi, AbiError } from '../../../shared/abi/abi.ts'
import { parseAbi } from '../../../shared/abi/parseAbi.ts'

/** Null for a text that describes no contract. */
export function abiOrNull(text: string): Abi | null {
  try {
    return parseAbi(text)
  } catch (error) {
    if (error instanceof AbiError) return null
    throw error
  }
}
