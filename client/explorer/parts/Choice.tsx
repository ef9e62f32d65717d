import { onChosen } from '../chosen.ts'

/** A list to choose one of, with a label for readers of the screen. */
export function Choice<Id extends string>(props: {
  readonly id: string
  readonly label: string
  readonly options: Readonly<Record<Id, { readonly label: string }>>
  readonly value: Id
  readonly onChoose: (id: Id) => void
  readonly class?: string
}) {
  const { id, label, options, value, onChoose } = props
  return (
    <>
      <label class="for-readers" for={id}>
        {label}
      </label>
      <select id={id} class={props.class ?? 'inline'} value={value} onChange={onChosen(options, onChoose)}>
        {Object.entries<{ readonly label: string }>(options).map(([key, one]) => (
          <option key={key} value={key}>
            {one.label}
          </option>
        ))}
      </select>
    </>
  )
}
