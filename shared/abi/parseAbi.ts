import { type Abi, AbiError } from './abi.ts'
import { fromTact, isTact } from './tact.ts'
import { fromTlb } from './tlb.ts'
import { fromTolk, isTolk } from './tolk.ts'

export const MOST_ABI_LENGTH = 1 << 20

function refuseLong(text: string): void {
  if (text.length > MOST_ABI_LENGTH) throw new AbiError('This is longer than the 1 MB that is read.')
}

/** A text as JSON. Throws AbiError. */
export function parseAbiJson(text: string): unknown {
  refuseLong(text)
  try {
    return JSON.parse(text)
  } catch {
    throw new AbiError('This is JSON that ends early or is damaged.')
  }
}

/** Acton keeps the ABI of the compiler inside of an object with hashes of codes. */
const unwrapped = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'compiler_abi' in value ? value.compiler_abi : value

function fromJson(value: unknown): Abi | null {
  if (isTact(value)) return fromTact(value)
  return isTolk(value) ? fromTolk(value) : null
}

/** Reads an ABI of Tact or Tolk (JSON, also as Acton keeps it), or TL-B: `increase#7e8764ef query_id:uint64 = Msg`. */
export function parseAbi(text: string): Abi {
  refuseLong(text)
  if (!/^\s*[[{]/.test(text)) return fromTlb(text)
  const value = unwrapped(parseAbiJson(text))
  let abi: Abi | null
  try {
    abi = fromJson(value)
  } catch (error) {
    throw error instanceof AbiError ? error : new AbiError('This ABI is damaged: its types lack names or fields.')
  }
  if (abi === null)
    throw new AbiError(
      'This JSON is no ABI of Tact or Tolk: it has neither `types` nor `unique_types` with `declarations`.',
    )
  return abi
}
