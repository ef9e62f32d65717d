import type { Abi } from '../../../../shared/abi/abi.ts'
import { Field, SelectField } from '../labFields.tsx'
import { AbiFields } from './AbiFields.tsx'
import { BODIES, type BodyDraft, type Made } from './composeDraft.ts'

interface BodyProps {
  readonly draft: BodyDraft
  readonly set: (draft: BodyDraft) => void
  readonly abi: Abi | null
  readonly made: Made
}

const LABELS = { comment: 'Comment', opcode: 'Opcode', boc: 'Bag of cells, base64 or hex' } as const

export function BodyFields({ draft, set, abi, made }: BodyProps) {
  const { kind, text, message, typed } = draft
  const found = abi?.messages.find(({ name }) => name === message) ?? abi?.messages[0]
  const wrong = 'wrong' in made ? made : null
  return (
    <>
      <SelectField
        id="compose-kind"
        label="Body"
        options={BODIES}
        value={kind}
        set={(chosen) => set({ ...draft, kind: chosen })}
        off={abi === null && 'abi'}
      />
      {kind === 'abi' && found && (
        <>
          <div class="field">
            <label for="compose-message">Message of {abi?.name}</label>
            <select
              id="compose-message"
              value={found.name}
              onChange={(event) => set({ ...draft, message: event.currentTarget.value, typed: {} })}
            >
              {abi?.messages.map(({ name }) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          </div>
          <AbiFields
            id="compose-field"
            fields={found.fields}
            typed={typed}
            set={(next) => set({ ...draft, typed: next })}
            wrong={wrong?.fields ?? {}}
          />
        </>
      )}
      {(kind === 'comment' || kind === 'opcode' || kind === 'boc') && (
        <Field
          id="compose-body"
          label={LABELS[kind]}
          value={text}
          set={(next) => set({ ...draft, text: next })}
          wrong={text === '' ? null : (wrong?.wrong ?? null)}
        />
      )}
    </>
  )
}
