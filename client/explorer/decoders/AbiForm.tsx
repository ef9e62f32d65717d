// Where a person adds the description of a contract: it names messages and errors of every account with this code.

import { useState } from 'preact/hooks'
import type { PageProps } from '../page.tsx'
import { Trouble } from '../parts/Empty.tsx'
import { toast } from '../parts/Toast.tsx'
import { AbiError, parseAbi } from './abi.ts'
import { abiOf, storeAbi } from './stored.ts'

const hexOf = (opcode: number): string => `0x${opcode.toString(16).padStart(8, '0')}`

function Known({ codeHash, text }: { readonly codeHash: string; readonly text: string }) {
  const { messages, errors } = parseAbi(text)
  return (
    <>
      <ul class="plain">
        {messages.map(({ name, opcode, fields }) => (
          <li key={opcode}>
            <code>{hexOf(opcode)}</code> <strong>{name}</strong>{' '}
            <span class="quiet">{fields.map((field) => field.name).join(', ')}</span>
          </li>
        ))}
      </ul>
      {Object.keys(errors).length > 0 && <p class="quiet">{Object.keys(errors).length} errors by their codes.</p>}
      <button type="button" class="second small" onClick={() => storeAbi(codeHash, null)}>
        Remove the ABI
      </button>
    </>
  )
}

/** `subject` is the hash of the code. */
export function AbiForm({ subject: codeHash }: PageProps) {
  const [text, setText] = useState('')
  const [wrong, setWrong] = useState<string | null>(null)
  const known = abiOf(codeHash)
  const add = (given: string): void => {
    try {
      const { name, messages, errors } = parseAbi(given)
      storeAbi(codeHash, { text: given, name, errors })
      setText('')
      setWrong(null)
      toast(`Added ${messages.length} messages of ${name}.`)
    } catch (error) {
      if (!(error instanceof AbiError)) throw error
      setWrong(error.message)
    }
  }
  if (known !== undefined) return <Known codeHash={codeHash} text={known.text} />
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
        <p class="hint">An ABI of Tact, or TL-B with one message in a line. It stays in this browser.</p>
      </div>
      {wrong !== null && <Trouble error={wrong} />}
      <button type="submit" class="second" disabled={text.trim() === ''}>
        Add the ABI
      </button>
    </form>
  )
}
