import type { ComponentChildren, JSX } from 'preact'
import { addressIn } from '../../../shared/explorer/addressIn.ts'
import { onChosen } from '../chosen.ts'
import { chainState } from '../live.ts'

export interface FieldProps {
  readonly id: string
  readonly label: ComponentChildren
  readonly value: string
  readonly set: (value: string) => void
  /** What is wrong with it, when it is not empty. */
  readonly wrong?: string | null
  readonly hint?: ComponentChildren
  readonly placeholder?: string
  readonly list?: string
}

export const Field = ({ id, label, value, set, wrong = null, hint, placeholder, list }: FieldProps) => (
  <div class="field">
    <label for={id}>{label}</label>
    <input
      id={id}
      value={value}
      {...(placeholder === undefined ? {} : { placeholder })}
      {...(list === undefined ? {} : { list })}
      autocomplete="off"
      spellcheck={false}
      aria-invalid={wrong !== null}
      aria-describedby={`${id}-hint`}
      onInput={(event) => set(event.currentTarget.value)}
    />
    <p id={`${id}-hint`} class={wrong === null ? 'hint' : 'hint wrong'}>
      {wrong ?? hint}
    </p>
  </div>
)

interface SelectProps<Id extends string> {
  readonly id: string
  readonly label: ComponentChildren
  readonly options: Readonly<Record<Id, string>>
  readonly value: Id
  readonly set: (id: Id) => void
  /** The option that cannot be chosen now. */
  readonly off?: Id | false
}

export const SelectField = <Id extends string>({ id, label, options, value, set, off }: SelectProps<Id>) => (
  <div class="field">
    <label for={id}>{label}</label>
    <select id={id} value={value} onChange={onChosen(options, set)}>
      {Object.entries<string>(options).map(([key, name]) => (
        <option key={key} value={key} disabled={key === off}>
          {name}
        </option>
      ))}
    </select>
  </div>
)

interface FormProps extends JSX.HTMLAttributes<HTMLFormElement> {
  readonly isReady: boolean
  readonly start: () => void
}

/** A form whose button, or the key Enter, starts something when all of it is right. */
export const Form = ({ isReady, start, ...props }: FormProps) => (
  <form
    {...props}
    onSubmit={(event) => {
      event.preventDefault()
      if (isReady) start()
    }}
  />
)

interface CheckProps {
  readonly checked: boolean
  readonly set: (checked: boolean) => void
  readonly class?: string
  readonly children: ComponentChildren
}

export const Check = ({ checked, set, children, class: name = 'check' }: CheckProps) => (
  <label class={name}>
    <input type="checkbox" checked={checked} onChange={(event) => set(event.currentTarget.checked)} />
    {children}
  </label>
)

/** What is wrong with an account as a person wrote it; null for an empty text, too. */
export const wrongAccount = (text: string): string | null =>
  text === '' || addressIn(addressOf(text)) !== null ? null : 'A name of a test account, or an address.'

/** Names of the test accounts, to choose from. */
export const AccountNameOptions = ({ id }: { readonly id: string }) => (
  <datalist id={id}>
    {chainState.value?.accounts.map(({ name }) => (
      <option key={name} value={name} />
    ))}
  </datalist>
)

/** The address of a test account by its name, or the one in the text; any other text unchanged. */
export const addressOf = (text: string): string => {
  const plain = text.trim()
  const named = chainState.value?.accounts.find(({ name }) => name === plain.toLowerCase())?.friendly
  return named ?? addressIn(plain) ?? plain
}
