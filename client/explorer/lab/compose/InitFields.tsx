// The contract a message deploys: its code and its first data.

import type { Abi } from '../../../../shared/abi/abi.ts'
import { chooseAgain } from '../../parts/chooseAgain.ts'
import { Field, type FieldProps, SelectField } from '../labFields.tsx'
import { AbiFields } from './AbiFields.tsx'
import { codeText, DATA, type InitDraft, type Made } from './composeDraft.ts'
import type { Deployed } from './useDeployed.ts'

interface InitProps {
  readonly draft: InitDraft
  readonly set: (draft: InitDraft) => void
  readonly abi: Abi | null
  readonly deployed: Deployed
}

interface BagFieldProps extends Omit<FieldProps, 'wrong'> {
  /** What the text makes. */
  readonly made: Made
}

const BagField = ({ made, ...props }: BagFieldProps) => (
  <Field {...props} wrong={props.value !== '' && 'wrong' in made ? made.wrong : null} />
)

export function InitFields({ draft, set, abi, deployed: { code, data } }: InitProps) {
  return (
    <>
      <div class="field">
        <label for="compose-code-file">Code from a file</label>
        <input
          id="compose-code-file"
          type="file"
          accept=".json,.boc,.txt"
          onClick={chooseAgain}
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? []
            if (file) void codeText(file).then((text) => set({ ...draft, code: text }))
          }}
        />
      </div>
      <BagField
        id="compose-code"
        label="Or code as text"
        value={draft.code}
        set={(text) => set({ ...draft, code: text })}
        made={code}
        hint="Base64 or hex, or the JSON of Blueprint's build folder."
      />
      <SelectField
        id="compose-data-kind"
        label="Data"
        options={DATA}
        value={draft.kind}
        set={(kind) => set({ ...draft, kind })}
        off={!abi?.storage && 'abi'}
      />
      {draft.kind === 'boc' && (
        <BagField
          id="compose-data"
          label="Data, base64 or hex"
          value={draft.data}
          set={(text) => set({ ...draft, data: text })}
          made={data}
        />
      )}
      {draft.kind === 'abi' && abi?.storage && (
        <AbiFields
          id="compose-storage"
          fields={abi.storage}
          typed={draft.typed}
          set={(typed) => set({ ...draft, typed })}
          wrong={'fields' in data ? (data.fields ?? {}) : {}}
        />
      )}
    </>
  )
}
