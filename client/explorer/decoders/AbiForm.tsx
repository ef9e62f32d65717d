// Where a person adds the description of a contract: it names messages and errors of every account with this code.

import { useState } from 'preact/hooks'
import { type Abi, AbiError, opcodesOf } from '../../../shared/abi/abi.ts'
import { opcodeText } from '../../../shared/abi/opcodeText.ts'
import { parseAbi } from '../../../shared/abi/parseAbi.ts'
import { counted } from '../../../shared/explorer/counted.ts'
import { useKept } from '../keptText.ts'
import type { PageProps } from '../lazyPage.tsx'
import { chooseAgain } from '../parts/chooseAgain.ts'
import { Trouble } from '../parts/Empty.tsx'
import { toast } from '../parts/Toast.tsx'
import { isOwnAbi, storeAbi } from './ownAbis.ts'
import { useAbi } from './useAbi.ts'

function Known({ codeHash, abi: { name, messages, errors } }: { readonly codeHash: string; readonly abi: Abi }) {
  return (
    <>
      <p>
        <strong>{name}</strong>{' '}
        <span class="quiet">{isOwnAbi(codeHash) ? 'added in this browser' : 'given to the service'}</span>
      </p>
      <ul class="plain">
        {messages.map(({ name, opcode, fields }) => (
          <li key={opcode}>
            <code>{opcodeText(opcode)}</code> <strong>{name}</strong>{' '}
            <span class="quiet">{fields.map((field) => field.name).join(', ')}</span>
          </li>
        ))}
      </ul>
      {Object.keys(errors).length > 0 && <p class="quiet">Names {counted(Object.keys(errors).length, 'exit code')}.</p>}
      {isOwnAbi(codeHash) && (
        <button type="button" class="second small" onClick={() => storeAbi(codeHash, null)}>
          Remove the ABI
        </button>
      )}
    </>
  )
}

/** `subject` is the hash of the code. */
export function AbiForm({ subject: codeHash }: PageProps) {
  const [text, setText] = useKept(`abi ${codeHash}`, '')
  const [wrong, setWrong] = useState<string | null>(null)
  const known = useAbi(codeHash)
  const add = (given: string): void => {
    try {
      const abi = parseAbi(given)
      const { name, messages, errors } = abi
      storeAbi(codeHash, { text: given, name, errors, opcodes: opcodesOf(abi) })
      setText('')
      setWrong(null)
      toast(`Added ${counted(messages.length, 'message')} of ${name}.`)
    } catch (error) {
      if (!(error instanceof AbiError)) throw error
      setWrong(error.message)
    }
  }
  if (known !== null) return <Known codeHash={codeHash} abi={known} />
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        add(text)
      }}
    >
      <div class="field">
        <label for="abi-file">ABI from a file</label>
        <input
          id="abi-file"
          type="file"
          onClick={chooseAgain}
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? []
            file?.text().then(add, () => setWrong('The file cannot be read.'))
          }}
        />
      </div>
      <div class="field">
        <label for="abi-text">Or as text</label>
        <textarea
          id="abi-text"
          rows={4}
          value={text}
          spellcheck={false}
          placeholder="increase#7e8764ef query_id:uint64 by:uint32 = Msg;"
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <p class="hint">
          An ABI of Tact or Tolk, one that Acton keeps, or TL-B with one message in a line. A file can be dropped
          anywhere on this page. It stays in this browser.
        </p>
      </div>
      {wrong !== null && <Trouble error={wrong} />}
      <button type="submit" class="second" disabled={text.trim() === ''}>
        Add the ABI
      </button>
    </form>
  )
}
