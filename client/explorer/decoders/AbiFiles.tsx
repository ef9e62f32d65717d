// All descriptions a person has added, as one file: to keep them, and to bring them to another browser.

import { useState } from 'preact/hooks'
import { AbiError, opcodesOf } from '../../../shared/abi/abi.ts'
import { parseAbi } from '../../../shared/abi/parseAbi.ts'
import { counted } from '../../../shared/explorer/counted.ts'
import { parseHash } from '../../../shared/parseHash.ts'
import { chooseAgain } from '../parts/chooseAgain.ts'
import { Trouble } from '../parts/Empty.tsx'
import { saveFile } from '../parts/save.ts'
import { toast } from '../parts/Toast.tsx'
import { MOST_ABIS, ownAbis, storeAbi } from './ownAbis.ts'

const LONGEST_FILE = 32 * 2 ** 20

/** Texts by the hash of the code, of a file this page has written. */
function textsIn(file: string): readonly (readonly [hash: string, text: string])[] {
  let content: unknown
  try {
    content = JSON.parse(file)
  } catch {
    throw new AbiError('This is no file of exported ABIs.')
  }
  const abis = typeof content === 'object' && content !== null ? Reflect.get(content, 'abis') : undefined
  if (typeof abis !== 'object' || abis === null) throw new AbiError('This is no file of exported ABIs.')
  const entries = Object.entries<unknown>(abis)
  if (entries.length > MOST_ABIS) throw new AbiError(`The file has more than ${MOST_ABIS} ABIs.`)
  return entries.map(([hash, text]) => {
    if (parseHash(hash) === null || typeof text !== 'string') throw new AbiError(`The ABI of ${hash} is damaged.`)
    return [hash, text]
  })
}

/** All of a file or none of it: an ABI that cannot be read is named by the hash of its code. */
function importFrom(file: string): number {
  const read = textsIn(file).map(([hash, text]) => {
    try {
      return [hash, text, parseAbi(text)] as const
    } catch (error) {
      if (error instanceof AbiError) throw new AbiError(`The ABI of ${hash}: ${error.message}`)
      throw error
    }
  })
  for (const [hash, text, abi] of read)
    storeAbi(hash, { text, name: abi.name, errors: abi.errors, opcodes: opcodesOf(abi) })
  return read.length
}

export function AbiFiles() {
  const [wrong, setWrong] = useState<string | null>(null)
  const own = ownAbis()
  const take = (file: string): void => {
    try {
      const count = importFrom(file)
      setWrong(null)
      toast(`Imported ${counted(count, 'ABI')}.`)
    } catch (error) {
      if (!(error instanceof AbiError)) throw error
      setWrong(error.message)
    }
  }
  const choose = (file: File | undefined): void => {
    if (file === undefined) return
    if (file.size > LONGEST_FILE) setWrong('The file is larger than 32 MB.')
    else file.text().then(take, () => setWrong('The file cannot be read.'))
  }
  return (
    <>
      <p class="buttons">
        <button
          type="button"
          class="second small"
          disabled={own.length === 0}
          onClick={() => saveFile('abis.json', JSON.stringify({ abis: Object.fromEntries(own) }, null, 2))}
        >
          Export {counted(own.length, 'ABI')}
        </button>
      </p>
      <div class="field">
        <label for="abi-import">Import exported ABIs</label>
        <input
          id="abi-import"
          type="file"
          onClick={chooseAgain}
          onChange={(event) => choose(event.currentTarget.files?.[0])}
        />
      </div>
      {wrong !== null && <Trouble error={wrong} />}
    </>
  )
}
