// A file that is dropped on the page of an account: a description of its code, or of the codes the file lists.

import { type Abi, AbiError, opcodesOf } from '../../../shared/abi/abi.ts'
import { parseAbi } from '../../../shared/abi/parseAbi.ts'
import { toBase64 } from '../../../shared/base64.ts'
import { counted } from '../../../shared/explorer/counted.ts'
import { parseHash } from '../../../shared/parseHash.ts'
import { toast } from '../parts/Toast.tsx'
import { storeAbi } from './ownAbis.ts'

const LONGEST_FILE = 4 * 2 ** 20

/** Codes that a description of Acton lists, base64. */
function listedCodes(text: string): readonly string[] {
  if (!/^\s*\{/.test(text)) return []
  const value: unknown = JSON.parse(text)
  const listed: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'code_hashes') : null
  const hashes = Array.isArray(listed) ? listed.map((one) => (typeof one === 'string' ? parseHash(one) : null)) : []
  return hashes.flatMap((hash) => (hash === null ? [] : [toBase64(hash)]))
}

async function read(file: File): Promise<readonly [text: string, abi: Abi]> {
  if (file.size > LONGEST_FILE) throw new AbiError('The file is larger than 4 MB.')
  const text = await file.text()
  return [text, parseAbi(text)]
}

/** `code` is that of the account, base64; null without one. */
export async function takeAbiFile(file: File, code: string | null): Promise<void> {
  try {
    const [text, abi] = await read(file)
    const listed = listedCodes(text)
    const codes = listed.length > 0 ? listed : code === null ? [] : [code]
    const { name, messages, errors } = abi
    for (const one of codes) storeAbi(one, { text, name, errors, opcodes: opcodesOf(abi) })
    if (codes.length === 0) toast('This account has no code, and the file lists none.')
    else toast(`Added ${counted(messages.length, 'message')} of ${name} for ${counted(codes.length, 'code')}.`)
  } catch (error) {
    toast(error instanceof AbiError ? error.message : 'The file cannot be read.')
  }
}
