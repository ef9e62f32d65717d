// Get-methods by name, or by id, as buttons.

interface MethodChipsProps {
  readonly of: readonly { readonly id: number; readonly name: string | null }[]
  readonly choose: (name: string) => void
}

export const MethodChips = ({ of: methods, choose }: MethodChipsProps) => (
  <ul class="chips">
    {methods.map(({ id, name }) => (
      <li key={id}>
        <button type="button" class="second small" onClick={() => choose(name ?? String(id))}>
          {name ?? id}
        </button>
      </li>
    ))}
  </ul>
)
